// English texts of alert mails.

import { lazily } from '@lendloom/foundation/lazily'
import { adviceText, causeText } from '@lendloom/wire/webhook/answer-text-en'
import type { AlertCause, OutageRow } from './outage.ts'

const minuteFormat = lazily(
  () =>
    new Intl.DateTimeFormat('en-IN', {
      timeZone: 'Asia/Kolkata',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }),
)

const timeText = (at: Date): string => `${minuteFormat().format(at)} IST`

const causeTexts: Record<AlertCause, (outage: OutageRow) => string> = {
  FAILURES: ({ failures }) => `${failures} attempts have failed since the last success.`,
  WAITING: ({ waitingSince }) =>
    `An update has been waiting since ${waitingSince ? timeText(waitingSince) : 'some time'}.`,
  DISABLED: () => 'It answered 410 (gone), so we disabled it.',
}

const adviceOf = (answer: string): string => ` It ${causeText(answer)}.\n\n${adviceText(answer)}`

/** Cuts a path of more than 80 characters. */
function shortened(address: string): string {
  const end = address.indexOf('/') + 80
  return address.length > end ? `${address.slice(0, end)}…` : address
}

export const failingMail = (outage: OutageRow, address: string, link: string) => ({
  subject: `A webhook endpoint at ${shortened(address)} is failing`,
  text: `Your webhook endpoint at ${address} is not accepting updates.

${causeTexts[outage.why](outage)}${outage.why === 'DISABLED' || outage.lastAnswer === null ? '' : adviceOf(outage.lastAnswer)}

We retry waiting updates in order. You can resend updates that we no longer retry. See

${link}

You get one more email when it works again. You can change alerts in the console under Webhooks, Alerts.
`,
})

export const workingMail = (outage: OutageRow, address: string, link: string) => ({
  subject: `The webhook endpoint at ${shortened(address)} works again`,
  text: `Your webhook endpoint at ${address} is accepting updates again. It had been failing since ${timeText(outage.beganAt)}.

You can resend updates that we no longer retry:

${link}
`,
})
