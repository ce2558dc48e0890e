{{- define "interviews.name" -}}
{{ .Release.Name | trunc 63 | trimSuffix "-" | quote }}
{{- end }}

{{- define "interviews.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "interviews.labels" -}}
{{ include "interviews.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "interviews.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ required "set image.digest or image.tag" $image.tag }}
{{- end }}
{{- end }}
