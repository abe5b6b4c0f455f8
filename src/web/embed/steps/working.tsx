// Screens while the lender works: completed and pending steps, and the payout.

import { contractOf } from '#contract/product/products.ts'
import { Complaints } from '../help/complain.tsx'
import { lenderOf, Officer } from '../offers/lender.tsx'
import { rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { isDone, isOffline, isOnOnePage } from '../page/screen-step.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { Consents } from './consents.tsx'

export function WorkingScreen() {
  const view = page.view.value
  const lender = view.selected?.lenderName ?? ''
  return (
    <section>
      <Title lead={t('working.lead')}>{t('working.title', { lender })}</Title>
      <Waiting>{t('step.waiting', { lender })}</Waiting>
      <StepList />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

const usualOrder = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const
const accountFirst = ['bankMandate', 'kyc', 'eMandate', 'loanAgreement', 'disbursal'] as const
const onOnePage = ['bankMandate', 'kyc', 'disbursal'] as const

/** The loan's steps with their state. */
function StepList() {
  const view = page.view.value
  const { steps, journeyType, selected } = view
  const isSinglePage = isOnOnePage(view)
  const agreement = selected?.terms.creditLine ? 'part.loanAgreement.line' : 'part.loanAgreement'
  const { visitsBranch, isAccountFirst } = contractOf(journeyType)
  const identity = isSinglePage || isOffline(view) ? 'part.page' : visitsBranch ? 'part.visit' : 'part.kyc'
  const names = isSinglePage ? onOnePage : isAccountFirst ? accountFirst : usualOrder
  // A credit line has no payout before the borrower draws on it.
  const parts = names.filter(
    (name) => steps[name].status !== 'NOT_REQUIRED' && !(name === 'disbursal' && selected?.terms.creditLine),
  )
  const current = parts.find((name) => !isDone(steps[name].status))
  return (
    <ol class="parts">
      {parts.map((name) => {
        const state = isDone(steps[name].status) ? 'done' : name === current ? 'now' : 'next'
        return (
          <li key={name} class={state}>
            <span>{t(name === 'kyc' ? identity : name === 'loanAgreement' ? agreement : `part.${name}`)}</span>
            <small>{t(`working.${state}`)}</small>
          </li>
        )
      })}
    </ol>
  )
}

export function DisbursalScreen() {
  const view = page.view.value
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
      <StepList />
      <Complaints lender={lender} />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}
