// Compares the rate at which the partner stores a large file with the shell copying and digesting the same bytes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configFrom } from '@lendloom/foundation/config'
import { settings } from '@lendloom/partner/settings'
import type { Case } from '@lendloom/partner/src/origination/case/lifecycle.ts'
import { newSealKey } from '@lendloom/seal/seal'
import { startChild } from '@lendloom/tests/setup/child-program'
import { clients, registerCase } from '@lendloom/tests/setup/documents-api'
import { freePort } from '@lendloom/tests/setup/platform'
import { apiMemoryMiB, cpuMs, option } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { judge } from './setup/goals.ts'
import { upload, videoOf } from './setup/upload.ts'

export const about = `POST /documents of one large video until it is on disk, compared with cat | tee file | openssl dgst and sync
Goals: at least the shell's rate in the same run; memory grows by at most 110 MiB for a video of any size.
Options: --rounds <n> (5), --mib <n> (249).`

const MiB = 1 << 20

export async function run(args: string[]): Promise<void> {
  const rounds = option(args, 'rounds', 5)
  const size = option(args, 'mib', 249)
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-upload-'))
  const database = await benchDatabase(4, 'partner')
  const env = {
    PARTNER_DATABASE_URL: database.url,
    PARTNER_PORT: String(await freePort()),
    PARTNER_MODE: 'api',
    PARTNER_AUTOPILOT: 'off',
    PARTNER_FILES_DIR: join(directory, 'files'),
    PARTNER_CLIENTS: JSON.stringify(clients),
    LENDLOOM_KEYS: newSealKey('b1'),
    LOG_LEVEL: 'warn',
  }
  const { child, pid } = await startChild({ program: 'partner', env: { ...process.env, ...env } })
  try {
    const ctx = { db: database.db, config: configFrom(settings, env), clock: () => new Date() }
    const loanCase = await registerCase(ctx)
    const pieces = videoOf(size * MiB)
    const path = join(directory, 'video.mp4')
    writeFileSync(path, Buffer.concat(pieces))
    const server = { pid, port: Number(env.PARTNER_PORT) }
    await secondsOf(server.port, loanCase, videoOf(MiB))
    const idle = apiMemoryMiB(server)
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5')

    const ratios: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const shell = size / (await shellSeconds(path, join(directory, 'copy')))
      const cpu = cpuMs(server)
      await database.db`checkpoint`
      const ours = size / (await secondsOf(server.port, loanCase, pieces))
      ratios.push(ours / shell)
      console.log(
        `round ${round}: ${ours.toFixed(0)} MiB/s, shell ${shell.toFixed(0)} MiB/s, ratio ${(ours / shell).toFixed(2)}; CPU ${cpuMs(server) - cpu} ms`,
      )
      rmSync(join(env.PARTNER_FILES_DIR, 'object'), { recursive: true })
      rmSync(join(directory, 'copy'))
    }
    const growth = peakMiB(server.pid) - idle
    judge({ figure: 'upload of a video: rate of the shell', value: percentile(ratios, 0.5), atLeast: 1 })
    judge({ figure: 'upload of a video: memory grown by', value: growth, unit: 'MiB', atMost: 110 })
  } finally {
    child.kill('SIGKILL')
    await database.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Seconds from the first byte to the answer. */
async function secondsOf(port: number, loanCase: Case, file: Buffer[]): Promise<number> {
  const start = performance.now()
  const { status, body } = await upload({ port }, loanCase, file)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return (performance.now() - start) / 1000
}

async function shellSeconds(from: string, to: string): Promise<number> {
  const start = performance.now()
  const line = `cat '${from}' | tee '${to}' | openssl dgst -sha256 && sync -d '${to}'`
  const [code] = await once(spawn('sh', ['-c', line], { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  if (code !== 0) throw new Error('the shell could not copy: openssl is needed')
  return (performance.now() - start) / 1000
}

const peakMiB = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)
