# The process of the Python SDK: takes calls as JSON lines, reports answers and events as JSON lines (see
# src/sdk/sdk-message.ts). Arguments: servers, namespace, number of clients.

import asyncio
import json
import sys
import time

from v2.nacos import (
    BatchRegisterInstanceParam,
    ClientConfigBuilder,
    DeregisterInstanceParam,
    ListInstanceParam,
    NacosNamingService,
    RegisterInstanceParam,
    SubscribeServiceParam,
)


def report(message):
    sys.stdout.write(json.dumps(message, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def shown(host):
    return {
        "ip": host.ip,
        "port": host.port,
        "weight": host.weight,
        "healthy": host.healthy,
        "enabled": host.enabled,
        "ephemeral": host.ephemeral,
        "clusterName": host.clusterName,
        "metadata": host.metadata,
    }


def registration(call, instance):
    return RegisterInstanceParam(
        service_name=call["service"],
        group_name=call["group"],
        ip=instance["ip"],
        port=instance["port"],
        weight=instance["weight"],
        healthy=instance["healthy"],
        enabled=instance["enabled"],
        ephemeral=instance["ephemeral"],
        cluster_name=instance["clusterName"],
        metadata=instance["metadata"],
    )


async def subscribe(client, index, call):
    async def listener(hosts):
        at_ms = time.time() * 1000
        hosts = [shown(host) for host in hosts]
        report({"kind": "event", "client": index, "service": call["service"], "atMs": at_ms, "hosts": hosts})

    await client.subscribe(
        SubscribeServiceParam(service_name=call["service"], group_name=call["group"], subscribe_callback=listener)
    )


async def perform(clients, call):
    first, service, group = clients[0], call["service"], call["group"]
    if call["call"] == "register":
        await first.register_instance(registration(call, call["instances"][0]))
    elif call["call"] == "batch":
        instances = [registration(call, instance) for instance in call["instances"]]
        batch = BatchRegisterInstanceParam(service_name=service, group_name=group, instances=instances)
        await first.batch_register_instances(batch)
    elif call["call"] == "deregister":
        instance = call["instances"][0]
        await first.deregister_instance(
            DeregisterInstanceParam(
                service_name=service,
                group_name=group,
                ip=instance["ip"],
                port=instance["port"],
                cluster_name=instance["clusterName"],
                ephemeral=instance["ephemeral"],
            )
        )
    elif call["call"] == "query":
        query = ListInstanceParam(service_name=service, group_name=group, subscribe=False, healthy_only=None)
        return [shown(host) for host in await first.list_instances(query)]
    else:
        for index, client in enumerate(clients):
            await subscribe(client, index, call)
    return None


async def answer(clients, call):
    try:
        hosts = await perform(clients, call)
        report({"kind": "answer", "id": call["id"], **({} if hosts is None else {"hosts": hosts})})
    except Exception as error:
        report({"kind": "refusal", "id": call["id"], "message": repr(error)})


async def main():
    servers, namespace, count = sys.argv[1:4]
    config = ClientConfigBuilder().server_address(servers).namespace_id(namespace).log_level("WARNING").build()
    config.set_update_cache_when_empty(True)
    config.set_log_dir("logs")
    config.set_cache_dir("cache")
    clients = [await NacosNamingService.create_naming_service(config) for _ in range(int(count))]
    report({"kind": "ready"})
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        await answer(clients, json.loads(line))


asyncio.run(main())
