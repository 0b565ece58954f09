// Where the module begins. What is built is pinned by a file for each Kubernetes minor beside this one.
module berth.controlplane

go 1.24.0
