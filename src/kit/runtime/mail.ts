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
    'The mail server for alerts, as smtp://user:password@host:587; none means that alerts are logged only',
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
  // Loaded here and not with the file: most programs send no mail, and each of them would start later.
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url: SMTP_URL,
      ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    }),
  )
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

const linesOf = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${value instanceof Date ? value.toISOString() : String(value)}\n`)
    .join('')
