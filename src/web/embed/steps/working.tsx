// When the lender is at work: what is done, what it does now, and the money on its way.

import { contractOf } from '#contract/product/products.ts'
import { Complaints } from '../help/complain.tsx'
import { lenderOf, Officer } from '../offers/lender.tsx'
import { rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { isDone, isOffline, isOnOnePage } from '../page/screen-step.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { Consents } from './consents.tsx'

export function WorkingScreen() {
  const view = here.view.value
  const lender = view.selected?.lenderName ?? ''
  return (
    <section>
      <Title lead={t('working.lead')}>{t('working.title', { lender })}</Title>
      <Waiting>{t('step.waiting', { lender })}</Waiting>
      <Parts />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

const usual = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const
const accountFirst = ['bankMandate', 'kyc', 'eMandate', 'loanAgreement', 'disbursal'] as const
const onOnePage = ['bankMandate', 'kyc', 'disbursal'] as const

/** This loan's steps: done, in progress or pending. */
function Parts() {
  const view = here.view.value
  const { steps, journeyType, selected } = view
  const isOne = isOnOnePage(view)
  const agreement = selected?.terms.creditLine ? 'part.loanAgreement.line' : 'part.loanAgreement'
  const { visitsBranch, isAccountFirst } = contractOf(journeyType)
  const identity = isOne || isOffline(view) ? 'part.page' : visitsBranch ? 'part.visit' : 'part.kyc'
  const names = isOne ? onOnePage : isAccountFirst ? accountFirst : usual
  // A line has no payout before it is drawn.
  const parts = names.filter(
    (name) => steps[name].status !== 'NOT_REQUIRED' && !(name === 'disbursal' && selected?.terms.creditLine),
  )
  const now = parts.find((name) => !isDone(steps[name].status))
  return (
    <ol class="parts">
      {parts.map((name) => {
        const at = isDone(steps[name].status) ? 'done' : name === now ? 'now' : 'next'
        return (
          <li key={name} class={at}>
            <span>{t(name === 'kyc' ? identity : name === 'loanAgreement' ? agreement : `part.${name}`)}</span>
            <small>{t(`working.${at}`)}</small>
          </li>
        )
      })}
    </ol>
  )
}

export function DisbursalScreen() {
  const view = here.view.value
  const { lenderName: lender = '', terms } = view.selected ?? {}
  const amount = rupees(terms?.netDisbursed ?? 0)
  return (
    <section>
      <Title
        lead={
          view.bankAccount === null
            ? t('disbursal.lead.gold', { lender, amount })
            : t('disbursal.lead', { lender, amount, account: view.bankAccount })
        }
      >
        {t('disbursal.title')}
      </Title>
      <Waiting>{t('disbursal.when')}</Waiting>
      <Consents />
      <Parts />
      <Complaints lender={lender} />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}
