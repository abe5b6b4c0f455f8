// The mails about dues that the lender sends to borrowers, as an example borrower reads them.

import { countText } from '@lendloom/foundation/text'
import { type Html, html } from '@lendloom/http/markup'
import { dayText, plusDays } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import type { Context } from '#partner/context.ts'
import {
  agentIntroduction,
  mailAfterDue,
  mailBeforeDue,
} from '#partner/servicing/collection/arrears/borrower-mail-text-en.ts'
import type { CollectionPolicy } from '#partner/servicing/collection/policy/store.ts'
import { policySection } from './policy-section.ts'
import { mailTexts as texts } from './text-en.ts'

export function mailsPart({ config }: Pick<Context, 'config'>, policy: CollectionPolicy, today: string): Html {
  const facts = {
    lender: config.PARTNER_LENDER_NAME,
    officer: config.PARTNER_GRIEVANCE_OFFICER,
    ...texts.example,
    amount: inr(958_000n),
    exitUntil: null,
    isPausable: false,
  }
  const dueIn = (days: number) => {
    const dueOn = dayText(plusDays(today, days))
    return { ...facts, dueOn, debitOn: dueOn }
  }
  const { contactFromHour, contactUntilHour } = policy
  const mails = [
    [texts.before, mailBeforeDue(dueIn(policy.remindBefore[0] ?? 0))],
    [texts.beforeUnmandated, mailBeforeDue({ ...dueIn(policy.remindBefore[0] ?? 0), mandateNumber: null })],
    [texts.after, mailAfterDue(dueIn(-(policy.remindAfter[0] ?? 0)))],
    [texts.introduction, agentIntroduction({ ...facts, contactFromHour, contactUntilHour })],
  ] as const
  return policySection({
    id: 'mails',
    title: texts.title,
    phoneSummary: countText(mails.length, 'mail'),
    body: html`<p>${config.SMTP_URL === 'none' ? texts.off : texts.lead}</p>
${mails.map(
  ([name, mail]) =>
    html`<details class="part"><summary>${name}</summary><p><b>${mail.subject}</b></p><p class="note-text">${mail.text}</p></details>`,
)}`,
  })
}
