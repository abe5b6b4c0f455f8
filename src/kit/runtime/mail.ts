// Tells operators by mail what a machine cannot put right; where no mail is configured, the log says it.
import { text } from './config.ts'
import type { Log } from './log.ts'

/**
 * Says that somebody has to look. It returns at once, never throws, and is always logged as an error too, so that a mail
 * server that is away hides nothing. `facts` are identifiers and reasons, never personal data.
 */
export type Alert = (subject: string, facts: Record<string, unknown>) => void

/** The settings of a program that sends alerts. */
export const mailSettings = {
  SMTP_URL: text(
    'The mail server for alerts and invitations, as smtp://user:password@host:587; none means that alerts are logged only, and invitations are passed on by hand',
    'none',
  ),
  ALERT_EMAIL: text('Who is told by mail what a machine cannot put right', 'none'),
  ALERT_FROM: text('Who such mail comes from', 'alerts@lendloom.example'),
}

export interface MailConfig {
  SMTP_URL: string
  ALERT_EMAIL: string
  ALERT_FROM: string
}

const timeoutMs = 10_000

/** Gives the alert of one program. Mail that could not be sent is logged with its reason and not tried again. */
export function alerting(program: string, { SMTP_URL, ALERT_EMAIL, ALERT_FROM }: MailConfig, log: Log): Alert {
  if (SMTP_URL === 'none' || ALERT_EMAIL === 'none') return (subject, facts) => log.error(facts, subject)
  const transport = transportTo(SMTP_URL)
  return (subject, facts) => {
    log.error(facts, subject)
    const mail = { from: ALERT_FROM, to: ALERT_EMAIL, subject: `[${program}] ${subject}`, text: linesOf(facts) }
    transport
      .then((ready) => ready.sendMail(mail))
      .then(
        ({ messageId }) => log.info({ messageId, subject }, 'operators were told'),
        (error) => log.error({ err: error, subject }, 'operators could not be told'),
      )
  }
}

/** Loaded when it is needed and not with the file: most programs send no mail, and each of them would start later. */
const transportTo = async (url: string) => {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
  })
}

export interface Mail {
  to: string
  subject: string
  text: string
}

/** Sends one mail and rejects when the server does not take it; null where no mail server is set. */
export function mailer({
  SMTP_URL,
  ALERT_FROM,
}: Omit<MailConfig, 'ALERT_EMAIL'>): ((mail: Mail) => Promise<void>) | null {
  if (SMTP_URL === 'none') return null
  return async (mail) => {
    const transport = await transportTo(SMTP_URL)
    try {
      await transport.sendMail({ from: ALERT_FROM, ...mail })
    } finally {
      transport.close()
    }
  }
}

const linesOf = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${value instanceof Date ? value.toISOString() : String(value)}\n`)
    .join('')
