// The process of the Go SDK: takes calls as JSON lines, reports answers and events as JSON lines (see
// src/sdk/sdk-message.ts). Arguments: servers, namespace, number of clients.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nacos-group/nacos-sdk-go/v2/clients"
	"github.com/nacos-group/nacos-sdk-go/v2/clients/naming_client"
	"github.com/nacos-group/nacos-sdk-go/v2/common/constant"
	"github.com/nacos-group/nacos-sdk-go/v2/model"
	"github.com/nacos-group/nacos-sdk-go/v2/vo"
)

type instance struct {
	IP          string            `json:"ip"`
	Port        uint64            `json:"port"`
	Weight      float64           `json:"weight"`
	Healthy     bool              `json:"healthy"`
	Enabled     bool              `json:"enabled"`
	Ephemeral   bool              `json:"ephemeral"`
	ClusterName string            `json:"clusterName"`
	Metadata    map[string]string `json:"metadata"`
}

type call struct {
	ID        int        `json:"id"`
	Call      string     `json:"call"`
	Service   string     `json:"service"`
	Group     string     `json:"group"`
	Instances []instance `json:"instances"`
}

var output sync.Mutex

// Members in this order: the reader knows reports by their first one.
type head struct {
	Kind string `json:"kind"`
}

func report(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	output.Lock()
	defer output.Unlock()
	fmt.Println(string(line))
}

func main() {
	servers, namespace := os.Args[1], os.Args[2]
	count, err := strconv.Atoi(os.Args[3])
	if err != nil {
		panic(err)
	}
	all := make([]naming_client.INamingClient, count)
	for i := range all {
		all[i] = open(servers, namespace)
	}
	report(head{"ready"})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			panic(err)
		}
		hosts, err := perform(all, c)
		if err != nil {
			report(struct {
				head
				ID      int    `json:"id"`
				Message string `json:"message"`
			}{head{"refusal"}, c.ID, err.Error()})
			continue
		}
		report(struct {
			head
			ID    int        `json:"id"`
			Hosts []instance `json:"hosts,omitempty"`
		}{head{"answer"}, c.ID, hosts})
	}
}

func open(servers, namespace string) naming_client.INamingClient {
	if namespace == "public" {
		namespace = ""
	}
	config := constant.NewClientConfig(
		constant.WithNamespaceId(namespace),
		constant.WithNotLoadCacheAtStart(true),
		constant.WithUpdateCacheWhenEmpty(true),
		constant.WithLogDir("logs"),
		constant.WithCacheDir("cache"),
		constant.WithLogLevel("warn"),
	)
	var list []constant.ServerConfig
	for _, server := range strings.Split(servers, ",") {
		host, port, _ := strings.Cut(server, ":")
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			panic(err)
		}
		list = append(list, *constant.NewServerConfig(host, number))
	}
	client, err := clients.NewNamingClient(vo.NacosClientParam{ClientConfig: config, ServerConfigs: list})
	if err != nil {
		panic(err)
	}
	return client
}

func perform(all []naming_client.INamingClient, c call) ([]instance, error) {
	first := all[0]
	switch c.Call {
	case "register":
		return nil, done(first.RegisterInstance(registration(c, c.Instances[0])))
	case "batch":
		var sent []vo.RegisterInstanceParam
		for _, i := range c.Instances {
			sent = append(sent, registration(c, i))
		}
		return nil, done(first.BatchRegisterInstance(vo.BatchRegisterInstanceParam{
			ServiceName: c.Service, GroupName: c.Group, Instances: sent,
		}))
	case "deregister":
		i := c.Instances[0]
		return nil, done(first.DeregisterInstance(vo.DeregisterInstanceParam{
			Ip: i.IP, Port: i.Port, Cluster: i.ClusterName, Ephemeral: i.Ephemeral,
			ServiceName: c.Service, GroupName: c.Group,
		}))
	case "query":
		hosts, err := first.SelectAllInstances(vo.SelectAllInstancesParam{ServiceName: c.Service, GroupName: c.Group})
		// The SDK calls an empty list an error.
		if err != nil && strings.Contains(err.Error(), "instance list is empty") {
			return nil, nil
		}
		return shown(hosts), err
	default:
		for index, client := range all {
			if err := client.Subscribe(subscription(c, index)); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
}

func subscription(c call, index int) *vo.SubscribeParam {
	return &vo.SubscribeParam{ServiceName: c.Service, GroupName: c.Group, SubscribeCallback: func(hosts []model.Instance, err error) {
		list := shown(hosts)
		if list == nil {
			list = []instance{}
		}
		report(struct {
			head
			Client  int        `json:"client"`
			Service string     `json:"service"`
			AtMs    int64      `json:"atMs"`
			Hosts   []instance `json:"hosts"`
		}{head{"event"}, index, c.Service, time.Now().UnixMilli(), list})
	}}
}

func registration(c call, i instance) vo.RegisterInstanceParam {
	return vo.RegisterInstanceParam{
		ServiceName: c.Service, GroupName: c.Group, Ip: i.IP, Port: i.Port, Weight: i.Weight, Healthy: i.Healthy,
		Enable: i.Enabled, Ephemeral: i.Ephemeral, ClusterName: i.ClusterName, Metadata: i.Metadata,
	}
}

func shown(hosts []model.Instance) []instance {
	var list []instance
	for _, h := range hosts {
		list = append(list, instance{h.Ip, h.Port, h.Weight, h.Healthy, h.Enable, h.Ephemeral, h.ClusterName, h.Metadata})
	}
	return list
}

func done(ok bool, err error) error {
	if err == nil && !ok {
		return fmt.Errorf("the SDK returned false")
	}
	return err
}
