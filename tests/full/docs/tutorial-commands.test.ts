// Runs each command of the other tutorials, in order, at an installation that `npm start` makes.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { postmasterOf } from '@lendloom/cli/src/postgres/cluster.ts'
import { temporaryFolder } from '#test/full/packages/consumer.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { freePort } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { blocksOf, linkRepository } from '#test/setup/tutorial.ts'

const home = temporaryFolder('lendloom-tutorials-')
const folder = linkRepository(home, ['examples'])
/** The ports that the pages and examples name, and those of this run. */
const ports = new Map<string, string>()
for (const port of ['4000', '4100', '4101', '4200', '4790', '5000', '5100', '5200', '5201'])
  ports.set(port, String(await freePort()))
const portOf = (port: string): string => ports.get(port) ?? port
const withPorts = (content: string): string =>
  content.replace(/(?<=127\.0\.0\.1:|PORT=|PORT = '|listen\()\d{4}\b/g, (port) => portOf(port))

cpSync(join(import.meta.dirname, '..', '..', '..', 'examples'), join(folder, 'examples'), { recursive: true })
for (const each of readdirSync(join(folder, 'examples'), { recursive: true, encoding: 'utf8' }))
  if (each.endsWith('.ts')) {
    const file = join(folder, 'examples', each)
    writeFileSync(file, withPorts(readFileSync(file, 'utf8')))
  }

const data = join(folder, '.lendloom')
const env: NodeJS.ProcessEnv = {
  HOME: home,
  PATH: process.env.PATH,
  LENDLOOM_DATA_DIR: data,
  npm_config_offline: 'true',
  npm_config_loglevel: 'error',
}
const started: ChildProcess[] = []
after(() => {
  for (const { pid } of started) end(pid!)
  const postgres = postmasterOf(join(data, 'postgres'))
  if (postgres) process.kill(postgres.pid, 'SIGQUIT')
})

function end(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has ended.
  }
}

const shell = (script: string, more: NodeJS.ProcessEnv = {}): ChildProcess => {
  const child = spawn('bash', ['-c', withPorts(script)], { cwd: folder, env: { ...env, ...more }, detached: true })
  started.push(child)
  return child
}

/** Runs commands to their end. Returns what they print. Fails if one of them does, unless `code` expects it. */
async function run(script: string, more: NodeJS.ProcessEnv = {}, code = 0): Promise<string> {
  const child = shell(`set -eu\nuuidgen() { node -p 'crypto.randomUUID()'; }\n${script}`, more)
  const timer = setTimeout(() => end(child.pid!), deadlineMs)
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  clearTimeout(timer)
  const exitCode = child.exitCode ?? (await once(child, 'exit'))[0]
  assert.equal(exitCode, code, `${script}\n${output}\n${errors}`)
  return output + errors
}

/** Starts a command that keeps running. Resolves once it has printed `sign`. */
async function keepRunning(script: string, sign: RegExp) {
  const child = shell(script)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk))
  await until(`${script} prints ${sign}`, () => sign.test(output) || child.exitCode !== null)
  assert.match(output, sign)
  return { child, output: () => output }
}

/** The commands of a page after those that start the platform, each of which must be taken. */
function commandsOf(page: string) {
  const all = blocksOf(page).filter(({ language }) => language === 'sh')
  const commands = all.map(({ content }) => content).filter((content) => content !== 'npm ci\nnpm start\n')
  return { next: () => commands.shift() ?? assert.fail(`${page} has no more commands`), left: () => commands }
}

const startPlatform = () =>
  keepRunning(
    `PORT=4000 PARTNER_PORT=4100 SECOND_PARTNER_PORT=4101 SANDBOX_PORT=4200 SANDBOX_SMTP_PORT=${smtpPort} MAIL_IN_PORT=${mailPort} npm start`,
    /Credentials/,
  )
const smtpPort = await freePort()
const mailPort = await freePort()
const key = (): string => JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')).tenant.apiKey

describe('the commands of the tutorials', { concurrency: 1 }, () => {
  before(startPlatform)

  test('D2 §4: your own screens', async () => {
    const page = commandsOf('your-own-screens')
    assert.match(await run(page.next()), /^KYC: http/m)
    const requests = page.next().split(/^(?=curl)/m)
    const found: NodeJS.ProcessEnv = { URL: `http://127.0.0.1:${portOf('4000')}`, KEY: key() }
    for (const request of requests) {
      const answer = await run(request.replace('curl', 'curl -fsS'), found)
      for (const [name, field] of [
        ['SESSION_TOKEN', 'sessionToken'],
        ['JOURNEY', 'journeyID'],
      ] as const)
        found[name] ??= new RegExp(`"${field}":"([^"]+)"`).exec(answer)?.[1]
    }
    assert.deepEqual(page.left(), [])
  })

  test('D1 §4, §6: embed a loan in your app', async () => {
    const page = commandsOf('embed-a-loan')
    const app = await keepRunning(page.next(), /open http/)
    const session = await run(page.next().replace('curl', 'curl -fsS'), { KEY: key() })
    assert.match(session, /"embedUrl"/)
    await run(`curl -fsS http://127.0.0.1:5000/`)
    await run(page.next())
    await until('the app hears of the payout', () => /the webhook says DISBURSED user-42/.test(app.output()))
    assert.deepEqual(page.left(), [])
    end(app.child.pid!)
  })

  test('FIS12 §6.2: join the network as a lender', async () => {
    const page = commandsOf('join-the-network-as-a-lender')
    const lender = await keepRunning(page.next(), /is SUBSCRIBED/)
    const loan = await run(page.next())
    assert.match(loan, /Amaltas Loans[\s\S]*Disbursed/)
    const journey = /Journey (\S+)/.exec(loan)![1]!
    const judged = await run(page.next().replace('<journeyID>', journey))
    assert.match(judged, /Amaltas Loans/)
    assert.doesNotMatch(judged, /deviates/)
    assert.match(await run(page.next()), /"code":"30016"/)
    assert.match(await run(page.next(), {}, 1), /the registry refuses: this subscriber id belongs to a party/)
    process.kill(-lender.child.pid!, 'SIGINT')
    await until('the lender has left', () => /left the network/.test(lender.output()))
    assert.deepEqual(page.left(), [])
  })

  test('D3 §1: join as a lender', async () => {
    const page = commandsOf('join-as-a-lender')
    const [, start = ''] = page.next().split('npm ci\n')
    const tested = await keepRunning(start, /lending at/)
    assert.match(await run(`${page.next().trim()} --listen 127.0.0.1:4790`), /\d{3} passed, 0 failed, 0 skipped/)
    end(tested.child.pid!)
    await keepRunning('npm run example:lender', /lending at/)
    await run(page.next())
    assert.match(await run(page.next()), /passed, 0 failed/)
    assert.match(await run(page.next()), /My Lender[\s\S]*Disbursed/)
    await run(page.next())
    assert.deepEqual(page.left(), [])
  })
})
