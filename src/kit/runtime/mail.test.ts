// Operators are told by real mail, over SMTP; where that fails, or is not configured, the log has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailServer } from '#test/setup/mail-server.ts'
import { until } from '#test/setup/programs.ts'
import { type Log, logTo } from './log.ts'
import { alerting } from './mail.ts'
import { exposition } from './metrics.ts'

function received(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  return { log: logTo('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) }), lines }
}

const facts = {
  eventId: '0192e4a0-0000-7000-8000-000000000001',
  attempt: 6,
  stuckSince: new Date('2026-11-01T10:00:00Z'),
}
const settings = { ALERT_EMAIL: 'ops@lendloom.example', ALERT_FROM: 'alerts@lendloom.example' }

test('D3 §6 rule 8: operators are told by mail, with what they need to find the event', async () => {
  const server = await mailServer()
  const { log, lines } = received()
  alerting('partner', { SMTP_URL: server.url, ...settings }, log)('an event could not be delivered', facts)
  const [mail] = await until('it came', () => (server.mails.length === 1 ? server.mails : undefined))
  assert.deepEqual([mail!.from, mail!.to], [settings.ALERT_FROM, [settings.ALERT_EMAIL]])
  assert.match(mail!.text, /Subject: \[partner\] an event could not be delivered/)
  assert.match(
    mail!.text,
    /eventId: 0192e4a0-0000-7000-8000-000000000001\r\nattempt: 6\r\nstuckSince: 2026-11-01T10:00:00.000Z/,
  )
  assert.deepEqual(
    [lines[0]!.level, lines[0]!.msg, lines[0]!.eventId],
    [50, 'an event could not be delivered', facts.eventId],
  )
})

test('without a mail server the log alone has it, as an error', async () => {
  const { log, lines } = received()
  const raised = async () => Number(/^operator_alerts_total (\d+)$/m.exec((await exposition()).text)![1])
  const before = await raised()
  alerting('partner', { SMTP_URL: 'none', ...settings }, log)('an event could not be delivered', facts)
  assert.deepEqual([lines.length, lines[0]!.level], [1, 50])
  assert.equal(await raised(), before + 1)
})

test('a mail server that is away or refuses costs nothing but the mail, and that is logged', async () => {
  const refusing = await mailServer(true)
  for (const url of ['smtp://127.0.0.1:9', refusing.url]) {
    const { log, lines } = received()
    alerting('partner', { SMTP_URL: url, ...settings }, log)('an event could not be delivered', facts)
    await until('that is logged', () => lines.length === 2)
    assert.deepEqual([lines[1]!.level, lines[1]!.msg], [50, 'operators could not be told'])
  }
})
