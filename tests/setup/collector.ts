// A collector of OpenTelemetry: receives the spans of the programs by OTLP over HTTP, as JSON.
import { startReceiver } from './receiver.ts'

export interface CollectedSpan {
  service: string
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Record<string, unknown>
}

export interface Collector {
  env: Record<string, string>
  spans(): CollectedSpan[]
  texts(): string[]
  stop(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver()
  receiver.answer = () => 200
  const texts = () => receiver.received.map(({ body }) => body.toString())
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url(),
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
    spans: () => texts().flatMap(spansIn),
    texts,
    stop: () => receiver.stop(),
  }
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'service' | 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const spansIn = (text: string): CollectedSpan[] =>
  (JSON.parse(text) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, attributes }) => ({
        service,
        traceId,
        spanId,
        name,
        attributes: valuesOf(attributes),
        ...(parentSpanId && { parentSpanId }),
      })),
    )
  })
