// Screens while the lender works: the list of done and coming steps, and the payout.

import { contractOf } from '@lendloom/lending/product/products'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { Complaints } from '../help/complaint-section.tsx'
import { lenderOf, Officer } from '../offers/lender.tsx'
import { Tick } from '../page/checkmark.tsx'
import { rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { isDone, isOffline, isOnOnePage } from '../page/progress-step.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { Consents } from './consent-requests.tsx'
import { LenderName } from './lender-step.tsx'

export function WorkingScreen() {
  const view = page.view.value
  const lender = view.selected?.lenderName ?? ''
  const { current } = listedSteps(view)
  const isBetween = current !== undefined && isNextAwaited(view, current)
  return (
    <section>
      <Title lead={t(isBetween ? `working.next.${current}` : 'working.lead')}>
        {t(isBetween ? 'working.prepares' : 'working.title', { lender })}
      </Title>
      <Waiting>
        {current && !isBetween ? t('working.step', { step: nameOf(current, view) }) : t('step.waiting', { lender })}
      </Waiting>
      <StepList />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

/** Whether the step before is confirmed, and the lender has not opened the next one: nothing of it is checked yet. */
function isNextAwaited(view: EmbedView, current: ListedStep): current is AwaitedStep {
  const { names } = listedSteps(view)
  const { pledgesFunds, visitsBranch } = contractOf(view.journeyType)
  const isUsual = names[0] === 'kyc' && !pledgesFunds && !visitsBranch && !isOffline(view)
  return isUsual && isAwaitedStep(current) && view.steps[current].status === 'PENDING'
}

const awaitedSteps = ['bankMandate', 'eMandate', 'loanAgreement'] as const
type AwaitedStep = (typeof awaitedSteps)[number]
const isAwaitedStep = (name: ListedStep): name is AwaitedStep => awaitedSteps.some((each) => each === name)

const usualOrder = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const
const accountFirst = ['bankMandate', 'kyc', 'eMandate', 'loanAgreement', 'disbursal'] as const
const onOnePage = ['bankMandate', 'kyc', 'disbursal'] as const

type ListedStep = (typeof usualOrder)[number]

/** The loan's steps in order, and the first that is not done. */
function listedSteps(view: EmbedView): { names: ListedStep[]; current: ListedStep | undefined } {
  const { steps, journeyType, selected } = view
  const inOrder = isOnOnePage(view) ? onOnePage : contractOf(journeyType).isAccountFirst ? accountFirst : usualOrder
  // A credit line has no payout before the borrower draws on it.
  const names = inOrder.filter(
    (name) => steps[name].status !== 'NOT_REQUIRED' && !(name === 'disbursal' && selected?.terms.creditLine),
  )
  return { names, current: names.find((name) => !isDone(steps[name].status)) }
}

function nameOf(name: ListedStep, view: EmbedView): string {
  if (name === 'loanAgreement' && view.selected?.terms.creditLine) return t('stepName.loanAgreement.line')
  if (name === 'eMandate' && contractOf(view.journeyType).pledgesFunds)
    return `${t('progress.pledge')} · ${t('stepName.eMandate')}`
  if (name !== 'kyc') return t(`stepName.${name}`)
  if (isOnOnePage(view) || isOffline(view)) return t('stepName.page')
  return t(contractOf(view.journeyType).visitsBranch ? 'stepName.visit' : 'stepName.kyc')
}

/** The loan's steps with their state. */
function StepList() {
  const view = page.view.value
  const { names, current } = listedSteps(view)
  const next = names.find((name) => name !== current && !isDone(view.steps[name].status))
  return (
    <ol class="step-list">
      {names.map((name) => {
        const state = isDone(view.steps[name].status) ? 'done' : name === current ? 'now' : 'next'
        return (
          <li key={name} class={state}>
            <span>{nameOf(name, view)}</span>
            {(state !== 'next' || name === next) && <small>{t(`working.${state}`)}</small>}
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
      <Tick />
      <Title
        lead={
          view.bankAccount === null
            ? t('disbursal.lead.gold', { lender, amount })
            : t('disbursal.lead', { lender, amount, account: view.bankAccount })
        }
      >
        {t('disbursal.title')}
      </Title>
      <LenderName />
      <Waiting>{t('disbursal.when')}</Waiting>
      <Consents />
      <StepList />
      {view.grievances?.items.length ? <Complaints lender={lender} /> : null}
      <Officer lender={lenderOf(view)} />
    </section>
  )
}
