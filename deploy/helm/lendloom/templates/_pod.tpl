{{/* Labels of an object: root, program, role. */}}
{{- define "lendloom.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/name: {{ .program }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "lendloom.labels" -}}
{{ include "lendloom.selector" . }}
app.kubernetes.io/part-of: lendloom
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "lendloom.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* The programs of this installation. */}}
{{- define "lendloom.programs" -}}
{{ ternary (list "platform" "partner") (list "platform") .Values.partner.enabled | toJson }}
{{- end }}

{{/* What every pod has, programs and migrations: root, program. */}}
{{- define "lendloom.pod" -}}
serviceAccountName: {{ (index .root.Values .program).serviceAccount }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* What every container has: root, program. */}}
{{- define "lendloom.container" -}}
image: {{ include "lendloom.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - configMapRef: { name: {{ (index .root.Values .program).configMap }} }
volumeMounts:
  - { name: secrets, mountPath: /run/lendloom/secrets, readOnly: true }
  - { name: temporary, mountPath: /tmp }
  {{- if eq .program "partner" }}
  - { name: files, mountPath: /var/lib/lendloom }
  {{- end }}
{{- end }}

{{- define "lendloom.volumes" -}}
- name: secrets
  secret: { secretName: {{ (index .root.Values .program).secret }}, defaultMode: 0440 }
- name: temporary
  emptyDir: { sizeLimit: 1Gi }
{{- if eq .program "partner" }}
- name: files
  {{- if .root.Values.partner.filesClaim }}
  persistentVolumeClaim: { claimName: {{ .root.Values.partner.filesClaim }} }
  {{- else }}
  emptyDir: { sizeLimit: 8Gi }
  {{- end }}
{{- end }}
{{- end }}
