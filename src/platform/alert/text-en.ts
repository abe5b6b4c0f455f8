// What a tenant reads in mails about its webhook endpoints, in English.
import type { Outage, Why } from './alert.ts'

const whyWords: Record<Why, (outage: Outage) => string> = {
  FAILURES: ({ failures }) => `${failures} tries failed since the last success.`,
  WAITING: ({ waitingSince }) => `An update has been waiting since ${waitingSince?.toISOString() ?? 'some time'}.`,
  DISABLED: () => 'It answered that it never wants to hear again, and was disabled.',
}

export const failingMail = (outage: Outage, host: string, link: string) => ({
  subject: `A webhook endpoint at ${host} fails`,
  text: `Your webhook endpoint at ${host} does not take its updates.

${whyWords[outage.why](outage)}${outage.lastAnswer === null ? '' : ` The last answer was: ${outage.lastAnswer}.`}

Nothing is lost: what waits is tried again in its order, and what was given up can be sent again. See

${link}

You hear from us once more when it works again. Who is told, and when, is chosen in the console under Webhooks, Alerts.
`,
})

export const workingMail = (outage: Outage, host: string, link: string) => ({
  subject: `The webhook endpoint at ${host} works again`,
  text: `Your webhook endpoint at ${host} takes updates again. It had failed since ${outage.beganAt.toISOString()}.

What was given up meanwhile can be sent again:

${link}
`,
})
