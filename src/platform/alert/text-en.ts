// English texts of alert mails.
import { lazily } from '#kit/runtime/record.ts'
import type { AlertCause, OutageRow } from './alert.ts'

const minuteFormat = lazily(
  () =>
    new Intl.DateTimeFormat('en-IN', {
      ...{ timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short' },
      ...{ hour: 'numeric', minuteFormat: '2-digit' },
    }),
)

/** `21 Nov, 7:41 pm IST` */
const timeText = (at: Date): string => `${minuteFormat().format(at)} IST`

const causeTexts: Record<AlertCause, (outage: OutageRow) => string> = {
  FAILURES: ({ failures }) => `${failures} attempts have failed since the last success.`,
  WAITING: ({ waitingSince }) =>
    `An update has been waiting since ${waitingSince ? timeText(waitingSince) : 'some time'}.`,
  DISABLED: () => 'It answered 410 (Gone) and was disabled.',
}

export const failingMail = (outage: OutageRow, host: string, link: string) => ({
  subject: `A webhook endpoint at ${host} is failing`,
  text: `Your webhook endpoint at ${host} does not accept updates.

${causeTexts[outage.why](outage)}${outage.lastAnswer === null ? '' : ` The last answer was: ${outage.lastAnswer}.`}

Pending updates are retried in order, and you can resend failed ones:

${link}

We will send another mail when it works again. To change alerts, go to Webhooks, Alerts in the console.
`,
})

export const workingMail = (outage: OutageRow, host: string, link: string) => ({
  subject: `The webhook endpoint at ${host} works again`,
  text: `Your webhook endpoint at ${host} accepts updates again. It had been failing since ${timeText(outage.beganAt)}.

You can resend updates that failed:

${link}
`,
})
