{{- define "berth.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "berth.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "berth.labels" -}}
{{ include "berth.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "berth.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{- define "berth.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "berth.fullname" .) "default" .Values.serviceAccount.create) -}}
{{- end -}}

{{- /* localhost is what probes ask for: they know no other name that is allowed. */ -}}
{{- define "berth.allowedHosts" -}}
{{- $name := include "berth.fullname" . -}}
{{- $hosts := list "localhost" $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace) -}}
{{- join "," (concat $hosts .Values.allowedHosts | uniq) -}}
{{- end -}}

{{- define "berth.host" -}}
{{- (urlParse (required "ingress.enabled needs baseUrl: https://berth.example.org" .Values.baseUrl)).host -}}
{{- end -}}

{{- /* Settings of a process; takes what berth.pod takes. */ -}}
{{- define "berth.environment" -}}
{{- $pod := . -}}
{{- with .root -}}
{{- $settings := dict
  "BERTH_ALLOWED_HOSTS" (include "berth.allowedHosts" .)
  "BERTH_BASE_URL" .Values.baseUrl
  "BERTH_BEHIND_PROXY" (ternary "1" "" .Values.ingress.enabled)
-}}
{{- if $pod.uploads -}}
{{- $_ := set $settings "BERTH_UPLOADS_DIR" "/var/lib/berth-uploads/uploads" -}}
{{- end -}}
{{- if and (eq .Values.mode "single") (include "berth.kubeconfigs" .) -}}
{{- $_ := set $settings "BERTH_KUBECONFIGS" "/etc/berth/kubeconfigs" -}}
{{- end -}}
{{- $secrets := .Values.secrets -}}
{{- range $name, $value := merge (deepCopy .Values.settings) $settings }}
{{- if and $value (not (hasKey $secrets $name)) }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}
{{- range $name, $secret := $secrets }}
- {name: {{ $name }}, valueFrom: {secretKeyRef: {{ toJson $secret }}}}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* Which pods speak to clusters: watchers, and workers of `celery`, which read usage. */ -}}
{{- define "berth.kubeconfigs" -}}
{{- range $name, $watcher := .Values.watchers }}
{{- with $watcher.kubeconfig }}
- secret:
    name: {{ .name }}
    items: [{key: {{ .key }}, path: {{ $name }}}]
{{- end }}
{{- end }}
{{- end -}}

{{- /* The pod of one process. Takes root, component, arguments, resources, and what differs:
  grace (seconds to end in), inClusters (speaks to clusters), uploads (reaches uploads), data (a claim instead of an
  empty directory), container (more of the container, as YAML), restartPolicy. */ -}}
{{- define "berth.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $kubeconfigs := ternary (include "berth.kubeconfigs" .root) "" (default false .inClusters) -}}
metadata:
  labels:
    {{- include "berth.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
    {{- with $values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with $values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .hook }}
  # Before anything else of the chart is there.
  {{- else }}
  serviceAccountName: {{ include "berth.serviceAccount" .root }}
  {{- end }}
  automountServiceAccountToken: {{ default false .inClusters }}
  # A service of the name berth would set BERTH_PORT, which is a setting of ours.
  enableServiceLinks: false
  {{- with .restartPolicy }}
  restartPolicy: {{ . }}
  {{- end }}
  terminationGracePeriodSeconds: {{ .grace }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: {type: RuntimeDefault}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if and (not .hook) (or $values.topologySpread.zone $values.topologySpread.node) }}
  topologySpreadConstraints:
    {{- $component := .component }}
    {{- range $key, $when := dict "topology.kubernetes.io/zone" $values.topologySpread.zone "kubernetes.io/hostname" $values.topologySpread.node }}
    {{- if $when }}
    - topologyKey: {{ $key }}
      maxSkew: 1
      whenUnsatisfiable: {{ $when }}
      # Pods of the last release, which are about to go, do not count.
      matchLabelKeys: [pod-template-hash]
      labelSelector:
        matchLabels:
          {{- include "berth.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ $component }}
    {{- end }}
    {{- end }}
  {{- end }}
  containers:
    - name: berth
      image: {{ include "berth.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: {{ toJson .arguments }}
      env: {{- include "berth.environment" . | trim | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      resources: {{- toYaml .resources | nindent 8 }}
      {{- with .container }}{{ . | nindent 6 }}{{ end }}
      volumeMounts:
        - {name: data, mountPath: /var/lib/berth}
        - {name: tmp, mountPath: /tmp}
        {{- if .uploads }}
        - {name: uploads, mountPath: /var/lib/berth-uploads}
        {{- end }}
        {{- if $kubeconfigs }}
        - {name: kubeconfigs, mountPath: /etc/berth/kubeconfigs, readOnly: true}
        {{- end }}
  volumes:
    {{- if .data }}
    - {name: data, persistentVolumeClaim: {claimName: {{ .data }}}}
    {{- else }}
    - {name: data, emptyDir: {}}
    {{- end }}
    - {name: tmp, emptyDir: {}}
    {{- if .uploads }}
    - {name: uploads, persistentVolumeClaim: {claimName: {{ $values.uploads.existingClaim | default (printf "%s-uploads" (include "berth.fullname" .root)) }}}}
    {{- end }}
    {{- if $kubeconfigs }}
    - name: kubeconfigs
      projected:
        defaultMode: 0440
        sources: {{- $kubeconfigs | nindent 10 }}
    {{- end }}
{{- end -}}

{{- /* Takes what berth.pod takes, and: replicas (none where KEDA decides), recreate (never two at the same time). */ -}}
{{- define "berth.deployment" -}}
{{- $name := printf "%s-%s" (include "berth.fullname" .root) .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "berth.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if hasKey . "replicas" }}
  replicas: {{ .replicas }}
  {{- end }}
  {{- if .recreate }}
  strategy: {type: Recreate}
  {{- end }}
  selector:
    matchLabels:
      {{- include "berth.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    {{- include "berth.pod" . | nindent 4 }}
{{- if and .root.Values.podDisruptionBudgets (not .recreate) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "berth.labels" .root | nindent 4 }}
spec:
  # Not minAvailable: with one replica that would hold up every drain.
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "berth.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
{{- end -}}

{{- define "berth.claim" -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "berth.labels" .root | nindent 4 }}
  annotations:
    helm.sh/resource-policy: keep
spec:
  accessModes: {{ toJson .accessModes }}
  {{- with .storage.storageClassName }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests: {storage: {{ .storage.size }}}
{{- end -}}

{{- define "berth.serving" -}}
ports:
  - {name: http, containerPort: 8000}
startupProbe:
  httpGet: {path: /livez, port: http, httpHeaders: [{name: Host, value: localhost}]}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /livez, port: http, httpHeaders: [{name: Host, value: localhost}]}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: http, httpHeaders: [{name: Host, value: localhost}]}
  periodSeconds: 10
  timeoutSeconds: 5
# Requests still come for a moment after a pod was asked to end.
lifecycle:
  preStop: {sleep: {seconds: 5}}
{{- end -}}
