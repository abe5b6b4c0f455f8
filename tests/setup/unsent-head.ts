// Checks the startup warning when no setting sends out the head of an audit log; the same for the platform's and the desk's log.
import assert from 'node:assert/strict'
import { type Log, logTo } from '@lendloom/foundation/log'

const cases = [
  [{ SANDBOX: false, AUDIT_EMAIL: 'none', SMTP_URL: 'none' }, /no head was sent out.*set AUDIT_EMAIL and SMTP_URL/],
  [{ SANDBOX: false, AUDIT_EMAIL: 'a@firm.example', SMTP_URL: 'none' }, /no head was sent out.*set SMTP_URL/],
  [{ SANDBOX: false, AUDIT_EMAIL: 'a@firm.example', SMTP_URL: 'smtp://127.0.0.1:9' }, null],
  [{ SANDBOX: true, AUDIT_EMAIL: 'none', SMTP_URL: 'none' }, null],
] as const

/** Starts and stops the program with each of the settings: it must warn once if no head can be sent, and name the missing settings. */
export async function assertUnsentHeadWarning(
  startAndStop: (settings: (typeof cases)[number][0], log: Log) => Promise<void>,
): Promise<void> {
  for (const [settings, warned] of cases) {
    const lines: string[] = []
    await startAndStop(settings, logTo('test', 'warn', { write: (line) => void lines.push(line) }))
    const about = lines.filter((line) => line.includes('no head'))
    assert.equal(about.length, warned ? 1 : 0)
    if (warned) assert.match(about[0]!, warned)
  }
}
