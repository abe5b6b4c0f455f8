// Draws the state machines from their transition tables.

import { isTerminal, type Table } from '@lendloom/foundation/machine'
import { caseLifecycle } from '@lendloom/partner/src/origination/case/lifecycle.ts'
import { paymentLifecycle } from '@lendloom/partner/src/servicing/collection/payment.ts'
import { disbursementLifecycle } from '@lendloom/partner/src/servicing/collection/transfer/disbursement.ts'
import { refundLifecycle } from '@lendloom/partner/src/servicing/collection/transfer/refund.ts'
import { loanLifecycle } from '@lendloom/partner/src/servicing/loan/loan.ts'
import { complaintMachine } from '@lendloom/platform/src/complaints/complaint/complaint.ts'
import { grievanceMachine } from '@lendloom/platform/src/complaints/grievance/grievance.ts'
import { aaMachine } from '@lendloom/platform/src/lenders/network/consent/aa-session.ts'
import { conversationStages as networkStages } from '@lendloom/platform/src/lenders/network/stage.ts'
import { caseStages } from '@lendloom/platform/src/lenders/partner/loan-case.ts'
import { drawdownMachine } from '@lendloom/platform/src/lending/drawdown/drawdown.ts'
import { lifecycle } from '@lendloom/platform/src/lending/journey/lifecycle.ts'
import { servicingMachine } from '@lendloom/platform/src/lending/servicing/operation.ts'
import { stepMachine } from '@lendloom/platform/src/lending/step/step.ts'
import { kycMachine } from '@lendloom/wire/exchange/event/kyc'
import { esignMachine, mandateMachine } from '@lendloom/wire/exchange/event/mandate'
import { code, mermaid, page, table } from './markdown.ts'

interface MachineDiagram {
  title: string
  about: string
  source: string
  machine: Table<string, string>
}

export const machines: MachineDiagram[] = [
  {
    title: 'Lifecycle of a journey',
    about: 'The statuses that an integrator is notified of, each at most once (D1 §3).',
    source: 'apps/platform/src/lending/journey/lifecycle.ts',
    machine: lifecycle,
  },
  {
    title: 'Step of a loan',
    about: 'KYC, bank account, mandate, agreement and disbursal each have this state (D2 §2.3).',
    source: 'apps/platform/src/lending/step/step.ts',
    machine: stepMachine,
  },
  {
    title: 'Consent session with an account aggregator',
    about: 'One consent that a lender requests (D2 §2.2).',
    source: 'apps/platform/src/lenders/network/consent/aa-session.ts',
    machine: aaMachine,
  },
  {
    title: 'Request after disbursal',
    about: 'Foreclosure, part payment, missed instalment, or loan status (D2 §4).',
    source: 'apps/platform/src/lending/servicing/operation.ts',
    machine: servicingMachine,
  },
  {
    title: 'Drawdown from a credit line',
    about: 'Money that the borrower takes from an open line; the lender may report a payout at any time (FIS12 §27.5).',
    source: 'apps/platform/src/lending/drawdown/drawdown.ts',
    machine: drawdownMachine,
  },
  {
    title: 'Complaint',
    about: 'A complaint of a borrower about the loan, the lender, the app or the platform (D3 §1).',
    source: 'apps/platform/src/complaints/complaint/complaint.ts',
    machine: complaintMachine,
  },
  {
    title: 'Grievance',
    about: 'A complaint about a network loan, as its lender reports it (FIS12 §20).',
    source: 'apps/platform/src/complaints/grievance/grievance.ts',
    machine: grievanceMachine,
  },
  {
    title: 'Conversation with a lender of the network',
    about: 'The stage of the messages with one lender (FIS12 §8.1, §9.1, §10.2).',
    source: 'apps/platform/src/lenders/network/stage.ts',
    machine: networkStages,
  },
  {
    title: 'Application at the lending partner',
    about: 'The stage of a case on the platform (D3 §1, §3).',
    source: 'apps/platform/src/lenders/partner/loan-case.ts',
    machine: caseStages,
  },
  {
    title: 'Loan case of the partner',
    about: 'The same application at the lender (D3 §3).',
    source: 'apps/partner/src/origination/case/lifecycle.ts',
    machine: caseLifecycle,
  },
  {
    title: 'Loan of the partner',
    about: 'The loan account after the payout (D3 §3).',
    source: 'apps/partner/src/servicing/loan/loan.ts',
    machine: loanLifecycle,
  },
  {
    title: 'Disbursement of the partner',
    about: 'The transfer of the loan amount to the borrower (D3 §2.5).',
    source: 'apps/partner/src/servicing/collection/transfer/disbursement.ts',
    machine: disbursementLifecycle,
  },
  {
    title: 'Refund of the partner',
    about: 'The transfer of an overpayment back to the borrower.',
    source: 'apps/partner/src/servicing/collection/transfer/refund.ts',
    machine: refundLifecycle,
  },
  {
    title: 'Payment to the partner',
    about: 'A debit under a mandate, a claim, a receipt, or a reversal (D3 §2.5).',
    source: 'apps/partner/src/servicing/collection/payment.ts',
    machine: paymentLifecycle,
  },
  {
    title: 'KYC in the exchange',
    about: 'The order of statuses in KYC_UPDATED (D3 §6).',
    source: 'packages/wire/src/exchange/event/kyc.ts',
    machine: kycMachine,
  },
  {
    title: 'Mandate in the exchange',
    about: 'The order of statuses in MANDATE_UPDATED (D3 §6).',
    source: 'packages/wire/src/exchange/event/mandate.ts',
    machine: mandateMachine,
  },
  {
    title: 'E-sign in the exchange',
    about: 'The order of statuses in ESIGN_UPDATED (D3 §6).',
    source: 'packages/wire/src/exchange/event/mandate.ts',
    machine: esignMachine,
  },
]

export const stateMachines = (): string =>
  page(
    'State machines',
    'Drawn from the transition tables in the code: the programs refuse a move that is not in its table. Moves between the same two states share an arrow.',
    table(
      ['Machine', 'Table'],
      machines.map(({ title, source }) => [`[${title}](#${anchor(title)})`, `[${source}](../../${source})`]),
    ),
    ...machines.flatMap(({ title, about, machine }) => [`## ${title}`, about, drawn(machine), ends(machine)]),
  )

const anchor = (title: string): string => title.toLowerCase().replace(/\s/g, '-')

function drawn(machine: Table<string, string>): string {
  const arrows = new Map<string, string[]>()
  for (const [from, moves] of Object.entries(machine))
    for (const [move, to] of Object.entries(moves)) {
      const arrow = `${from} --> ${to}`
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), move])
    }
  const [first] = Object.keys(machine)
  return mermaid([
    'stateDiagram-v2',
    ...(first === undefined ? [] : [`  [*] --> ${first}`]),
    ...Array.from(arrows, ([arrow, moves]) => `  ${arrow}: ${labelOf(arrow, moves)}`),
  ])
}

const labelOf = (arrow: string, moves: string[]): string =>
  moves.map((move) => (arrow.endsWith(`--> ${move}`) ? 'then' : move)).join(', ')

function ends(machine: Table<string, string>): string {
  const terminal = Object.keys(machine).filter((status) => isTerminal(machine, status))
  return terminal.length === 0 ? 'There is no final state.' : `Final: ${terminal.map(code).join(', ')}.`
}
