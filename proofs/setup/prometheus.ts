// Runs Debian's Prometheus on the running programs with the shipped alert rules.
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Db } from '@lendloom/postgres/sql'
import { metricsIn, recordedIn, rulesFile, rulesIn, rulesTestFiles } from '@lendloom/tests/architecture/alert-rules'
import { completePartnerLoan } from '@lendloom/tests/setup/lending-life'
import { freePort } from '@lendloom/tests/setup/platform'
import type { Checks } from './checks.ts'
import { type Installation, startInstallation } from './installation.ts'
import type { Part } from './part.ts'
import { directoryFor, startServer } from './server.ts'
import { until, within } from './until.ts'

const prometheus = '/usr/bin/prometheus'
const promtool = '/usr/bin/promtool'

export const figures: Part = {
  name: 'figures',
  missing: () =>
    [prometheus, promtool].every(existsSync) ? null : `there is no ${prometheus}: apt-get install prometheus`,
  async prove(note) {
    const { directory, remove } = directoryFor('prometheus')
    const stops: (() => void | Promise<void>)[] = [remove]
    try {
      await testedRules(directory, note)
      const installation = await startInstallation({ each: 1 })
      stops.push(installation.stop)
      const watching = await startPrometheus(directory, installation)
      stops.push(watching.stop)
      const stage: Stage = { installation, watching, note }
      const targets = await scraped(stage)
      const names = await figuresThere(stage)
      await healthy(stage)
      const seconds = await firing(stage)
      return `${targets} processes scraped, ${names} figures of ${rulesIn(readFileSync(rulesFile, 'utf8')).length} alerts there, two alerts fired after ${seconds.join(' and ')} s`
    } finally {
      for (const stop of stops.reverse()) await stop()
    }
  },
}

interface Stage {
  installation: Installation
  watching: Watching
  note: Checks['note']
}

/** Whether promtool reports success. */
const isPassed = (...args: string[]): Promise<boolean> =>
  promisify(execFile)(promtool, args).then(
    () => true,
    () => false,
  )

/** Checks the shipped rules and runs their tests, which must fail for a rule with a raised threshold. */
async function testedRules(directory: string, note: Checks['note']): Promise<void> {
  note('promtool accepts the alert rules', await isPassed('check', 'rules', rulesFile))
  note('the tests of the alert rules pass', await isPassed('test', 'rules', ...rulesTestFiles))
  const blunted = readFileSync(rulesFile, 'utf8').replace(
    '(inbox_oldest_seconds) > 30',
    '(inbox_oldest_seconds) > 3000',
  )
  writeFileSync(join(directory, 'alerts.yml'), blunted)
  copyFileSync(rulesTestFiles[0], join(directory, 'alerts.test.yml'))
  const doesRaisedThresholdPass = await isPassed('test', 'rules', join(directory, 'alerts.test.yml'))
  note('control: the tests fail if a threshold is a hundred times higher', !doesRaisedThresholdPass)
}

interface Watching {
  /** Queries the HTTP API. */
  // biome-ignore lint/suspicious/noExplicitAny: callers read the fields they expect
  api(path: string): Promise<any>
  stop(): void
}

async function startPrometheus(directory: string, { processes }: Installation): Promise<Watching> {
  const port = await freePort()
  copyFileSync(rulesFile, join(directory, 'alerts.yml'))
  const jobs = (['platform', 'partner'] as const).map((program) => {
    const targets = processes.filter((each) => each.program === program).map((each) => `127.0.0.1:${each.port}`)
    return { job_name: program, static_configs: [{ targets }] }
  })
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: jobs,
  }
  // JSON is valid YAML.
  const file = join(directory, 'prometheus.yml')
  writeFileSync(file, JSON.stringify(config))
  const listen = `--web.listen-address=127.0.0.1:${port}`
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'data')}`, listen]
  const stop = await startServer({ name: 'prometheus', command: prometheus, args, directory, port })
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok
  // It listens before it has loaded its data.
  await until(isReady, 'Prometheus is ready').catch((error) => {
    stop()
    throw error
  })
  return {
    async api(path) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
      if (!answer.ok) throw new Error(`Prometheus answers ${answer.status} for ${path}`)
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const body: any = await answer.json()
      return body.data
    },
    stop,
  }
}

async function scraped({ installation: { processes }, watching, note }: Stage): Promise<number> {
  let up: { health: string; labels: { job: string } }[] = []
  const all = async () => {
    up = (await watching.api('targets')).activeTargets
    return up.length === processes.length && up.every(({ health }) => health === 'up')
  }
  const isSo = await within(all, 60)
  const words = processes.map(({ program, mode }) => `${mode} of the ${program}`).join(', ')
  note('every process is scraped', isSo, words)
  return up.length
}

/** Returns how many metrics the rules use. */
async function figuresThere({ watching, note }: Stage): Promise<number> {
  const there = new Set<string>(await watching.api('label/__name__/values'))
  const absent = (exprs: string[]) => exprs.flatMap(metricsIn).filter((name) => !there.has(name) && !isRecorded(name))
  const text = readFileSync(rulesFile, 'utf8')
  const recorded = recordedIn(text)
  const isRecorded = (name: string) => recorded.some(({ record }) => record === name)
  const exprs = [...rulesIn(text), ...recorded].map(({ expr }) => expr)
  note(
    'every figure that a rule reads is in the scrape',
    absent(exprs).length === 0,
    absent(exprs).join(' ') || undefined,
  )
  const wrong = absent(['max by (job) (inbox_oldest_minutes) > 30'])
  note('control: a metric that no program exports is reported as missing', wrong.join() === 'inbox_oldest_minutes')
  return new Set(exprs.flatMap(metricsIn)).size
}

const countOf = async (db: Db): Promise<number> => {
  const [row] = await db<{ count: number }>`select count(*)::int as count from outbox`
  return row?.count ?? 0
}

/** Makes a loan; the metrics must show as many deliveries as there were, and no alert may be firing. */
async function healthy({ installation, watching, note }: Stage): Promise<void> {
  await completePartnerLoan(installation)
  const delivered = async (job: string): Promise<number> => {
    const expr = `sum(outbox_tries_total{job="${job}",outcome="DELIVERED"})`
    const { result } = await watching.api(`query?query=${encodeURIComponent(expr)}`)
    return Number(result[0]?.value[1] ?? 0)
  }
  for (const [job, db] of [
    ['platform', installation.db],
    ['partner', installation.partnerDb],
  ] as const) {
    const isSame = async () => (await delivered(job)) === (await countOf(db))
    const isSo = await within(isSame, 30)
    note(`a loan is made, and Prometheus has each event that the ${job} delivered`, isSo, await delivered(job))
  }
  const on = await alerts(watching)
  note('no alert is firing', on.length === 0, on.map(({ name, state }) => `${name} ${state}`).join(', ') || undefined)
}

interface AlertSeen {
  name: string
  job: string
  state: string
}

async function alerts(watching: Watching): Promise<AlertSeen[]> {
  const { alerts: seen } = await watching.api('alerts')
  return seen.map(({ labels, state }: { labels: { alertname: string; job: string }; state: string }) => ({
    name: labels.alertname,
    job: labels.job,
    state,
  }))
}

/** Kills the partner's API and makes the platform's database read-only. Returns after how many seconds each alert fired. */
async function firing({ installation, watching, note }: Stage): Promise<string[]> {
  const isFiring = async (name: string, job: string) =>
    (await alerts(watching)).some((each) => each.name === name && each.job === job && each.state === 'firing')
  const begun = performance.now()
  const after = async (name: string, job: string): Promise<string> => {
    const isSo = await within(() => isFiring(name, job), 120)
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    note(`${name} fires for the ${job}`, isSo, `after ${seconds} s`)
    return seconds
  }
  await installation.processes.find(({ program, mode }) => program === 'partner' && mode === 'api')?.kill()
  await readOnly(installation.db, true)
  const took = [await after('DatabaseNotWritable', 'platform'), await after('ProgramDown', 'partner')]
  // Requests that are answered 503 meanwhile burn the budget.
  const others = (await alerts(watching)).filter(
    ({ name, state }) =>
      state === 'firing' && !['DatabaseNotWritable', 'ProgramDown', 'BudgetBurnsFast'].includes(name),
  )
  note(
    'no other alert fires',
    others.length === 0,
    others.map(({ name, job }) => `${name} ${job}`).join(', ') || undefined,
  )
  await readOnly(installation.db, false)
  const isOver = async () => !(await alerts(watching)).some(({ name }) => name === 'DatabaseNotWritable')
  note('the alert ends once the database is writable again', await within(isOver, 60))
  return took
}

/** Imitates the state after a switch to another server: existing connections are cut, and new ones can only read. */
async function readOnly({ pool }: Db, isSo: boolean): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set default_transaction_read_only = off')
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const name = client.escapeIdentifier(rows[0]?.name ?? '')
    await client.query(`alter database ${name} ${isSo ? 'set default_transaction_read_only = on' : 'reset all'}`)
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  } finally {
    client.release(true)
  }
}
