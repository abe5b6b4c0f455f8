// Records the spans of a program with OpenTelemetry, if the environment names a collector.
import { ConfigError } from '#foundation/config.ts'

/**
 * Must run before the modules of the program load. Without OTEL_EXPORTER_OTLP_ENDPOINT it does nothing, and loads
 * nothing. `program` names the spans' service, as in `lendloom-platform`. A wrong variable ends the process with 1.
 */
export async function recordSpans(env: NodeJS.ProcessEnv, program: string): Promise<void> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return
  try {
    const { installOpenTelemetry } = await import('./open-telemetry.ts')
    installOpenTelemetry(env, program)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
