// The scheduler's side of bench.peer: how long kube-scheduler's own code takes, without API server, queue and binding.
//
//	peer CLUSTER explain TIMES NAME …        decides TIMES about each of these pending pods, and changes nothing
//	peer CLUSTER place PODS PERCENTAGE       places the pods of a second List, each on what the ones before left
//
// A scheduler with its default profile holds the nodes and pods of a List in its own cache; it asks for anything else
// from a client whose objects are in memory. PERCENTAGE is percentageOfNodesToScore, 0 the scheduler's own choice. One
// JSON document on standard output, as `python -m bench.peer` has it for Berth.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// discard stands where events would go to the API server.
type discard struct{}

func (discard) Eventf(_, _ runtime.Object, _, _, _, _ string, _ ...any) {}

func (d discard) WithLogger(klog.Logger) events.EventRecorderLogger { return d }

type peer struct {
	context   context.Context
	log       klog.Logger
	scheduler *scheduler.Scheduler
	profile   framework.Framework
	seen      *cache.Snapshot
	pending   map[string]*core.Pod
}

func main() {
	if len(os.Args) < 5 {
		fail(fmt.Errorf("usage: peer CLUSTER explain TIMES NAME … | peer CLUSTER place PODS PERCENTAGE"))
	}
	percentage := 100
	if os.Args[2] == "place" {
		percentage = number(os.Args[4])
	}
	klog.SetOutput(os.Stderr)
	klog.LogToStderr(false)
	began := time.Now()
	p := begin(list(os.Args[1]), int32(percentage))
	answer := map[string]any{"read_s": time.Since(began).Seconds()}
	if os.Args[2] == "place" {
		answer["place_s"], answer["pods"] = p.place(list(os.Args[3]))
	} else {
		for _, name := range os.Args[4:] {
			answer[name] = p.explain(name, number(os.Args[3]))
		}
	}
	fail(json.NewEncoder(os.Stdout).Encode(answer))
}

// begin makes a scheduler whose cache holds the nodes and the bound pods.
func begin(objects []runtime.Object, percentage int32) *peer {
	p := &peer{context: context.Background(), seen: cache.NewEmptySnapshot(), pending: map[string]*core.Pod{}}
	p.log = klog.FromContext(p.context)
	var nodes []*core.Node
	var bound []*core.Pod
	var others []runtime.Object
	for _, object := range objects {
		switch kind := object.(type) {
		case *core.Node:
			nodes = append(nodes, kind)
		case *core.Pod:
			if kind.Spec.NodeName == "" {
				p.pending[kind.Name] = kind
			} else {
				bound = append(bound, kind)
			}
		default:
			others = append(others, object)
		}
	}
	client := fake.NewClientset(others...)
	informers := scheduler.NewInformerFactory(client, 0, nil)
	recorder := func(string) events.EventRecorderLogger { return discard{} }
	var err error
	p.scheduler, err = scheduler.New(p.context, client, informers, nil, recorder,
		scheduler.WithPercentageOfNodesToScore(&percentage), scheduler.WithNodeInfoSnapshot(p.seen))
	fail(err)
	informers.Start(p.context.Done())
	informers.WaitForCacheSync(p.context.Done())
	fail(p.scheduler.WaitForHandlersSync(p.context))
	p.profile = p.scheduler.Profiles[core.DefaultSchedulerName]
	for _, node := range nodes {
		p.scheduler.Cache.AddNode(p.log, node)
	}
	for _, pod := range bound {
		fail(p.scheduler.Cache.AddPod(p.log, pod))
	}
	p.look()
	return p
}

// look brings what decisions are made on up to date with the cache, as each scheduling cycle begins.
func (p *peer) look() { fail(p.scheduler.Cache.UpdateSnapshot(p.log, p.seen)) }

func (p *peer) decide(pod *core.Pod) (scheduler.ScheduleResult, *framework.CycleState) {
	info, err := framework.NewPodInfo(pod)
	fail(err)
	state := framework.NewCycleState()
	state.Write(framework.PodsToActivateKey, framework.NewPodsToActivate())
	queued := &framework.QueuedPodInfo{PodInfo: info, PodSignature: p.profile.SignPod(p.context, pod)}
	result, err := p.scheduler.SchedulePod(p.context, p.profile, state, queued)
	fail(err)
	return result, state
}

// explain times decisions about one pod in milliseconds, and says how they end: the nodes that were taken are among the best.
func (p *peer) explain(name string, times int) map[string]any {
	pod, known := p.pending[name]
	if !known {
		fail(fmt.Errorf("no pod %s is pending", name))
	}
	var taken []float64
	nodes, feasible := map[string]bool{}, 0
	for range times {
		began := time.Now()
		result, _ := p.decide(pod)
		taken = append(taken, float64(time.Since(began).Nanoseconds())/1e6)
		nodes[result.SuggestedHost], feasible = true, result.FeasibleNodes
	}
	names := make([]string, 0, len(nodes))
	for node := range nodes {
		names = append(names, node)
	}
	return map[string]any{"ms": taken, "feasible": feasible, "best": names}
}

// place has each pod decided, assumed, reserved and permitted; what follows of a cycle, binding, goes on beside it.
func (p *peer) place(objects []runtime.Object) (seconds float64, pods int) {
	began := time.Now()
	for _, object := range objects {
		pod := object.(*core.Pod).DeepCopy()
		p.look()
		result, state := p.decide(pod)
		pod.Spec.NodeName = result.SuggestedHost
		fail(p.scheduler.Cache.AssumePod(p.log, pod))
		fail(p.profile.RunReservePluginsReserve(p.context, state, pod, pod.Spec.NodeName).AsError())
		_, permitted := p.profile.RunPermitPlugins(p.context, state, pod, pod.Spec.NodeName)
		fail(permitted.AsError())
	}
	return time.Since(began).Seconds(), len(objects)
}

// list reads the objects of a List, whatever their kinds.
func list(path string) []runtime.Object {
	text, err := os.ReadFile(path)
	fail(err)
	var found struct{ Items []json.RawMessage }
	fail(json.Unmarshal(text, &found))
	objects := make([]runtime.Object, len(found.Items))
	for index, item := range found.Items {
		objects[index], err = runtime.Decode(scheme.Codecs.UniversalDeserializer(), item)
		fail(err)
	}
	return objects
}

func number(text string) int {
	found, err := strconv.Atoi(text)
	fail(err)
	return found
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}
