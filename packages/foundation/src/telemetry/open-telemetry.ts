// The tracer of OpenTelemetry: samples spans and sends them to a collector by OTLP over HTTP.
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { choice, configFrom, number, type Setting } from '#foundation/config.ts'
import { codeOf } from '#foundation/thrown.ts'
import { installTracer, type OpenSpan, type SpanFacts, type Tracer } from '#foundation/trace.ts'

const ratio: Setting<number> = {
  about: 'Share of traces to record',
  fallback: '1',
  read(text) {
    const share = Number(text)
    if (!(share >= 0 && share <= 1)) throw new Error('must be a number from 0 to 1')
    return share
  },
}

/** Standard variables that the SDK no longer reads itself. The exporter reads OTEL_EXPORTER_OTLP_*. */
const settings = {
  OTEL_TRACES_SAMPLER: choice(
    'Which traces to record; parentbased follows the decision of the caller',
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: ratio,
  OTEL_BSP_SCHEDULE_DELAY: number('Milliseconds between two exports', 5000, 1, 60_000),
}

export function installOpenTelemetry(env: NodeJS.ProcessEnv, program: string): void {
  const config = configFrom(settings, env)
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `lendloom-${program}` }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: samplerOf(config.OTEL_TRACES_SAMPLER, config.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [processor],
  })
  installTracer(tracerOf(provider))
}

function samplerOf(name: string, share: number): Sampler {
  const root = rootSamplerOf(name, share)
  return name.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root
}

function rootSamplerOf(name: string, share: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler()
  if (name.endsWith('always_off')) return new AlwaysOffSampler()
  return new TraceIdRatioBasedSampler(share)
}

const kinds: Record<SpanFacts['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

function tracerOf(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer('lendloom')
  return {
    start({ name, kind, attributes = {} }, parent) {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent))
      return openSpanOf(span)
    },
    flush: () => provider.forceFlush().catch(() => {}),
  }
}

function contextOf(traceparent: string | undefined) {
  if (traceparent === undefined) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}

function openSpanOf(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    set: (attributes) => void span.setAttributes(attributes),
    fail(error) {
      const type = error instanceof Error ? (codeOf(error) ?? error.constructor.name) : String(error)
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type)
    },
    end: () => span.end(),
  }
}
