// Operator alerts by mail over SMTP, and in the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, logTo } from '@lendloom/foundation/log'
import { exposition } from '@lendloom/foundation/metrics'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { until } from '@lendloom/tests/setup/programs'
import { operatorAlert } from './mail.ts'

function recordedLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  return { log: logTo('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) }), lines }
}

const facts = {
  eventId: '0192e4a0-0000-7000-8000-000000000001',
  attempt: 6,
  stuckSince: new Date('2026-11-01T10:00:00Z'),
}
const settings = { ALERT_EMAIL: 'ops@lendloom.example', ALERT_FROM: 'alerts@lendloom.example' }

test('D3 §6 rule 8: mails operators the facts that identify the event', async () => {
  const server = await mailServer()
  const { log, lines } = recordedLog()
  operatorAlert('partner', { SMTP_URL: server.url, ...settings }, log)('an event could not be delivered', facts)
  const [mail] = await until('the mail arrived', () => (server.mails.length === 1 ? server.mails : undefined))
  assert.equal(mail!.from, settings.ALERT_FROM)
  assert.deepEqual(mail!.to, [settings.ALERT_EMAIL])
  assert.match(mail!.text, /Subject: \[partner\] an event could not be delivered/)
  assert.match(
    mail!.text,
    /eventId: 0192e4a0-0000-7000-8000-000000000001\r\nattempt: 6\r\nstuckSince: 2026-11-01T10:00:00.000Z/,
  )
  assert.equal(lines[0]!.level, 50)
  assert.equal(lines[0]!.msg, 'an event could not be delivered')
  assert.equal(lines[0]!.eventId, facts.eventId)
})

test('logs an alert as an error when no mail server is configured', async () => {
  const { log, lines } = recordedLog()
  const countAlerts = async () => Number(/^operator_alerts_total (\d+)$/m.exec((await exposition()).text)![1])
  const before = await countAlerts()
  operatorAlert('partner', { SMTP_URL: 'none', ...settings }, log)('an event could not be delivered', facts)
  assert.equal(lines.length, 1)
  assert.equal(lines[0]!.level, 50)
  assert.equal(await countAlerts(), before + 1)
})

test('logs an alert that the mail server does not accept', async () => {
  const refusingServer = await mailServer(true)
  // Port 9 has no server.
  for (const url of ['smtp://127.0.0.1:9', refusingServer.url]) {
    const { log, lines } = recordedLog()
    operatorAlert('partner', { SMTP_URL: url, ...settings }, log)('an event could not be delivered', facts)
    await until('the failure is logged', () => lines.length === 2)
    assert.equal(lines[1]!.level, 50)
    assert.equal(lines[1]!.msg, 'operators could not be alerted')
  }
})
