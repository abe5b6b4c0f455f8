// Starts a sandbox for one test file, on a real port and database, with a buyer app on its network.
import { randomBytes, randomInt } from 'node:crypto'
import { after } from 'node:test'
import { portIsFree } from '@lendloom/cli/src/postgres/server.ts'
import { configFrom } from '@lendloom/foundation/config'
import type { RunningProgram } from '@lendloom/foundation/program'
import { startSandbox } from '@lendloom/sandbox/program'
import { settings } from '@lendloom/sandbox/settings'
import { patientDatabase } from '../deadline.ts'
import { type Buyer, startBuyer } from './buyer.ts'

export interface OpenSandbox {
  url: string
  buyer: Buyer
  /** Stops the sandbox and starts it again on the same port and database. */
  restart(): Promise<void>
}

/** `database` returns the URL of a migrated database. Everything stops when the test file ends. */
export async function openSandbox(
  database: () => Promise<string>,
  env: Record<string, string> = {},
): Promise<OpenSandbox> {
  const open: { sandbox?: RunningProgram; buyer?: Buyer } = {}
  after(async () => {
    await open.buyer?.stop()
    await open.sandbox?.stop()
  })
  const port = await freePort()
  const config = configFrom(settings, {
    SANDBOX_PORT: String(port),
    SANDBOX_URL: `http://127.0.0.1:${port}`,
    SANDBOX_DATABASE_URL: await database(),
    LENDLOOM_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SANDBOX_DISBURSAL_SECONDS: '0',
    SANDBOX_BANK_SECONDS: '0',
    SANDBOX_BANK_SILENT_SECONDS: '1',
    LOG_LEVEL: 'error',
    ...patientDatabase,
    ...env,
  })
  open.sandbox = await startSandbox(config)
  open.buyer = await startBuyer(config.SANDBOX_URL)
  return {
    url: config.SANDBOX_URL,
    buyer: open.buyer,
    async restart() {
      await open.sandbox!.stop()
      open.sandbox = await startSandbox(config)
    },
  }
}

/**
 * Returns a port outside the ephemeral range, because it is free for a moment before the sandbox starts or restarts,
 * and not one that `fetch` blocks (up to 6697, and 10080).
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(7_000, 10_000)
    if (await portIsFree(port)) return port
  }
}
