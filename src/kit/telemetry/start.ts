// Records the spans of a program with OpenTelemetry: `node --import ./src/kit/telemetry/start.ts src/platform/main.ts`.
import { isMainThread } from 'node:worker_threads'
import { ConfigError } from '#kit/runtime/config.ts'

// Threads inherit the option, but have no spans of their own.
if (isMainThread && process.env.OTEL_SDK_DISABLED !== 'true' && process.env.OTEL_TRACES_EXPORTER !== 'none')
  try {
    const { installOpenTelemetry } = await import('./open-telemetry.ts')
    installOpenTelemetry(process.env, process.argv[1])
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
