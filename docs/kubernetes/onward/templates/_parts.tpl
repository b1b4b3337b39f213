{{- define "onward.labels" -}}
app.kubernetes.io/name: onward
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "onward.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end }}
{{- end -}}
{{- end -}}

{{/* Rights of every pod, as in docker-compose.yml. */}}
{{- define "onward.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* Common part of every container; the settings of the process follow under env. */}}
{{- define "onward.container" -}}
image: {{ include "onward.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .Values.secrets.settings }} }
volumeMounts:
  - { name: keys, mountPath: /run/secrets/onward, readOnly: true }
  - { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "onward.volumes" -}}
volumes:
  - name: keys
    secret: { secretName: {{ .Values.secrets.keys }}, defaultMode: 0440 }
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
{{- end -}}

{{- define "onward.env" -}}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
- { name: ONWARD_KEYS_FILE, value: /run/secrets/onward/keys.json }
{{- end -}}

{{/* Pods of one kind on different nodes, where the cluster has them. */}}
{{- define "onward.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: { app: {{ . }} } }
{{- end -}}
