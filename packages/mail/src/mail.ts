// Alerts operators by mail about problems that need a person; without a mail server, alerts are only logged.
import { type Setting, secret, text } from '@lendloom/foundation/config'
import { lazily } from '@lendloom/foundation/lazily'
import type { Log } from '@lendloom/foundation/log'
import { counter } from '@lendloom/foundation/metrics'
import { fieldsOf } from '@lendloom/foundation/record'
import { messageOf } from '@lendloom/foundation/thrown'

/**
 * Alerts operators without waiting, and never throws. Also logs each alert as an error, in case the mail server is
 * unreachable. `facts` are identifiers and reasons, never personal data.
 */
export type Alert = (subject: string, facts: Record<string, unknown>) => void

const mailServerUrl = (about: string): Setting<string> => ({
  ...secret(about, 'none'),
  read(value) {
    // The message does not repeat the value, which may contain a password.
    if (value !== 'none' && !/^smtps?:$/.test(URL.parse(value)?.protocol ?? ''))
      throw new Error('must be a URL smtp://… or smtps://…, or none')
    return value
  },
})

/** The settings of a program that sends alerts. */
export const mailSettings = {
  SMTP_URL: mailServerUrl(
    'The mail server for alerts and invitations, as smtp://user:password@host:587; none means that alerts are logged only, and invitations are passed on by hand',
  ),
  ALERT_EMAIL: text('Address for alerts about failures that need a person', 'none'),
  ALERT_FROM: text('Default sender address of mails', 'alerts@lendloom.example'),
  AUDIT_EMAIL: text(
    'Address for the daily mail with the signed heads of the audit logs, outside the reach of database writers',
    'none',
  ),
}

export interface MailConfig {
  SMTP_URL: string
  ALERT_EMAIL: string
  ALERT_FROM: string
}

const timeoutMs = 10_000

const alertsRaised = counter('operator_alerts_total', 'Alerts raised for operators, each also an error in the log')

/** Returns the alert function of a program. A mail that fails is logged with the reason and not retried. */
export function operatorAlert(program: string, { SMTP_URL, ALERT_EMAIL, ALERT_FROM }: MailConfig, log: Log): Alert {
  const logAlert: Alert = (subject, facts) => {
    alertsRaised.inc()
    log.error(facts, subject)
  }
  if (SMTP_URL === 'none' || ALERT_EMAIL === 'none') return logAlert
  const transport = lazily(() => transportTo(SMTP_URL))
  return (subject, facts) => {
    logAlert(subject, facts)
    const mail = { from: ALERT_FROM, to: ALERT_EMAIL, subject: `[${program}] ${subject}`, text: linesOf(facts) }
    transport()
      .then((transporter) => transporter.sendMail(mail))
      .then(
        ({ messageId }) => log.info({ messageId, subject }, 'operators were alerted'),
        (error) => log.error({ err: error, subject }, 'operators could not be alerted'),
      )
  }
}

/** Loads nodemailer on first use, because most programs send no mail and would only start more slowly. */
const transportTo = async (url: string) => {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
}

export interface Mail {
  to: string
  subject: string
  text: string
  /** The sender, as `Name <address>`; `ALERT_FROM` by default. */
  from?: string
  replyTo?: string
  /** The address for bounces; by default the address in `from`. */
  returnPath?: string
  /** With angle brackets; the same at each try, so that receivers detect duplicates. */
  messageId?: string
  inReplyTo?: string
  references?: string[]
  headers?: Record<string, string>
  attachments?: { filename: string; contentType: string; content: Buffer }[]
}

/** Thrown when a mail server does not accept a mail. */
export class MailRejection extends Error {
  /** Whether a retry is useless: the recipient or content was refused with a code of 500 or more (RFC 5321 §4.2.1). */
  readonly isFinal: boolean

  /** `answer` is what the server answered, or why there was no answer; it may name the recipient. */
  constructor(answer: string, isFinal: boolean, options?: ErrorOptions) {
    super(answer, options)
    this.isFinal = isFinal
  }
}

/** Sends one mail and returns the server's answer. Throws `MailRejection`. */
export type SendMail = (mail: Mail) => Promise<string>

/** Returns a function that sends mails; null when no mail server is configured. */
export function mailer({ SMTP_URL, ALERT_FROM }: Omit<MailConfig, 'ALERT_EMAIL'>): SendMail | null {
  if (SMTP_URL === 'none') return null
  return async (mail) => {
    const transport = await transportTo(SMTP_URL)
    const { returnPath, from = ALERT_FROM, ...message } = mail
    const envelope = returnPath === undefined ? {} : { envelope: { from: returnPath, to: mail.to } }
    // A mail must not make this process read files or fetch URLs.
    const withoutAccess = { disableFileAccess: true, disableUrlAccess: true }
    try {
      const { response } = await transport.sendMail({ from, ...message, ...envelope, ...withoutAccess })
      return response
    } catch (error) {
      throw rejectionOf(error)
    } finally {
      transport.close()
    }
  }
}

/** Signs in at the mail server without sending a mail. Throws the error of the server. */
export async function verifyMailServer(url: string): Promise<void> {
  const transport = await transportTo(url)
  await transport.verify().finally(() => transport.close())
}

/** Returns the bytes of a mail, as `mailer` would send them. */
export async function rawMessage({ returnPath: _, ...message }: Mail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const sent = await transport.sendMail({ ...message, disableFileAccess: true, disableUrlAccess: true })
  return Buffer.isBuffer(sent.message) ? sent.message : Buffer.alloc(0)
}

/** An error about our identity or the protocol is not final, because it is not a fault of the mail. */
function rejectionOf(error: unknown): MailRejection {
  const { code, response, responseCode } = fieldsOf(error)
  const isFinal =
    typeof responseCode === 'number' && responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(`${code}`)
  return new MailRejection(typeof response === 'string' ? response : messageOf(error), isFinal, { cause: error })
}

const linesOf = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${value instanceof Date ? value.toISOString() : String(value)}\n`)
    .join('')
