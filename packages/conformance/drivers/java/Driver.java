// The process of the Java SDK: takes calls as JSON lines, reports answers and events as JSON lines (see
// src/sdk/sdk-message.ts). Arguments: servers, namespace, number of clients. One source for clients 1.4.8 to 3.0.3.

import com.alibaba.nacos.api.NacosFactory;
import com.alibaba.nacos.api.naming.NamingService;
import com.alibaba.nacos.api.naming.listener.NamingEvent;
import com.alibaba.nacos.api.naming.pojo.Instance;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

public class Driver {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PrintStream OUTPUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        List<NamingService> clients = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            clients.add(open(args[0], args[1]));
        }
        waitUntilUp(clients);
        report(JSON.createObjectNode().put("kind", "ready"));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answer(clients, JSON.readTree(line));
        }
        System.exit(0);
    }

    private static NamingService open(String servers, String namespace) throws Exception {
        Properties properties = new Properties();
        properties.put("serverAddr", servers);
        properties.put("namespace", namespace);
        return NacosFactory.createNamingService(properties);
    }

    /** The constructor returns before the connection is there. */
    private static void waitUntilUp(List<NamingService> clients) throws InterruptedException {
        for (NamingService client : clients) {
            for (int tries = 0; tries < 200 && !"UP".equals(client.getServerStatus()); tries++) {
                Thread.sleep(50);
            }
        }
    }

    private static void answer(List<NamingService> clients, JsonNode call) {
        ObjectNode answer = JSON.createObjectNode();
        try {
            List<Instance> hosts = perform(clients, call);
            answer.put("kind", "answer").put("id", call.get("id").asInt());
            if (hosts != null) {
                answer.set("hosts", shown(hosts));
            }
        } catch (Exception e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            answer.put("kind", "refusal").put("id", call.get("id").asInt()).put("message", String.valueOf(cause));
        }
        report(answer);
    }

    private static List<Instance> perform(List<NamingService> clients, JsonNode call) throws Exception {
        NamingService first = clients.get(0);
        String service = call.get("service").asText();
        String group = call.get("group").asText();
        List<Instance> instances = new ArrayList<>();
        for (JsonNode instance : call.get("instances")) {
            instances.add(instance(instance));
        }
        switch (call.get("call").asText()) {
            case "register":
                first.registerInstance(service, group, instances.get(0));
                return null;
            case "deregister":
                first.deregisterInstance(service, group, instances.get(0));
                return null;
            case "batch":
                // 1.4.8 has no such method, so this source must not name it.
                NamingService.class.getMethod("batchRegisterInstance", String.class, String.class, List.class)
                        .invoke(first, service, group, instances);
                return null;
            case "query":
                return first.getAllInstances(service, group, false);
            default:
                for (int i = 0; i < clients.size(); i++) {
                    subscribe(clients.get(i), i, service, group);
                }
                return null;
        }
    }

    private static void subscribe(NamingService client, int index, String service, String group) throws Exception {
        client.subscribe(service, group, event -> {
            if (event instanceof NamingEvent) {
                ObjectNode report = JSON.createObjectNode();
                report.put("kind", "event").put("client", index).put("service", service);
                report.put("atMs", System.currentTimeMillis());
                report.set("hosts", shown(((NamingEvent) event).getInstances()));
                report(report);
            }
        });
    }

    private static Instance instance(JsonNode sent) {
        Instance instance = new Instance();
        instance.setIp(sent.get("ip").asText());
        instance.setPort(sent.get("port").asInt());
        instance.setWeight(sent.get("weight").asDouble());
        instance.setHealthy(sent.get("healthy").asBoolean());
        instance.setEnabled(sent.get("enabled").asBoolean());
        instance.setEphemeral(sent.get("ephemeral").asBoolean());
        instance.setClusterName(sent.get("clusterName").asText());
        sent.get("metadata").fields().forEachRemaining(e -> instance.addMetadata(e.getKey(), e.getValue().asText()));
        return instance;
    }

    private static ArrayNode shown(List<Instance> hosts) {
        ArrayNode list = JSON.createArrayNode();
        for (Instance host : hosts) {
            ObjectNode shown = list.addObject();
            shown.put("ip", host.getIp()).put("port", host.getPort()).put("weight", host.getWeight());
            shown.put("healthy", host.isHealthy()).put("enabled", host.isEnabled());
            shown.put("ephemeral", host.isEphemeral()).put("clusterName", host.getClusterName());
            shown.set("metadata", JSON.valueToTree(host.getMetadata()));
        }
        return list;
    }

    private static synchronized void report(ObjectNode message) {
        OUTPUT.println(message.toString());
    }
}
