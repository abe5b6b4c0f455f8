// Starts of an installation that end early: they leave no program, and they end soon.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { CannotRun } from '#cli/command.ts'
import { launch } from './launch.ts'

const folder = mkdtempSync(join(tmpdir(), 'lendloom-launch-'))
after(() => rmSync(folder, { recursive: true }))

/** Of the machine that runs the tests, where somebody may also use the usual ports. */
const ports: Record<string, string> = {}
for (const program of [
  'PORT',
  'PARTNER_PORT',
  'SECOND_PARTNER_PORT',
  'SANDBOX_PORT',
  'SANDBOX_SMTP_PORT',
  'MAIL_IN_PORT',
])
  ports[program] = String(await freePort())

const start = (env: NodeJS.ProcessEnv = {}) =>
  launch({
    logs: false,
    watch: false,
    json: true,
    env: { ...process.env, ...ports, LENDLOOM_DATA_DIR: folder, ...env },
  })

/** Other test files of this process may run programs. */
const childProcesses = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
const others = childProcesses()
const untilTheyEnd = () => until('the programs have ended', () => childProcesses() <= others)

test('a start whose log cannot be written stops the programs that it has started', async () => {
  const log = join(folder, 'logs', 'partner.log')
  mkdirSync(log, { recursive: true })
  await assert.rejects(start(), (error) => {
    assert.ok(error instanceof CannotRun)
    assert.match(error.message, /^the log .+partner\.log cannot be written: EISDIR/)
    return true
  })
  rmSync(log, { recursive: true })
  await untilTheyEnd()
})

test('a signal ends the wait for a database of the operator', async () => {
  let attempts = 0
  const server = createServer((socket) => {
    attempts++
    process.emit('SIGHUP', 'SIGHUP')
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const DATABASE_URL = `postgres://nobody:nothing@127.0.0.1:${address.port}/nowhere`
  await assert.rejects(start({ DATABASE_URL }), /^Error: DATABASE_URL: access to the database is denied: Connection/)
  assert.ok(attempts <= 2, `it tried ${attempts} times`)
  await untilTheyEnd()
  server.close()
})

test('a port that is taken ends the start before there is a database', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = Object(other.address())
  await assert.rejects(
    start({ PARTNER_PORT: String(port) }),
    new RegExp(`^Error: port ${port} on 127.0.0.1 is taken; free it, or set PARTNER_PORT to another one`),
  )
  assert.equal(existsSync(join(folder, 'postgres')), false)
  other.close()
})
