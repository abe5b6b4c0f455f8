// Draws the state machines from the tables that the programs run by.

import { kycMachine } from '#contract/exchange/event/kyc.ts'
import { esignMachine, mandateMachine } from '#contract/exchange/event/mandate.ts'
import { isTerminal, type Table } from '#kit/runtime/machine.ts'
import { lifecycle as caseLifecycle } from '#partner/case/lifecycle.ts'
import { lifecycle as paymentLifecycle } from '#partner/collection/payment.ts'
import { disbursementLifecycle, refundLifecycle } from '#partner/collection/transfer/store.ts'
import { lifecycle as loanLifecycle } from '#partner/loan/loan.ts'
import { aaMachine } from '#platform/aa/session.ts'
import { complaintMachine } from '#platform/complaint/complaint.ts'
import { stages as caseStages } from '#platform/exchange/case.ts'
import { grievanceMachine } from '#platform/grievance/grievance.ts'
import { lifecycle } from '#platform/journey/lifecycle-payload.ts'
import { stages as networkStages } from '#platform/network/stage.ts'
import { servicingMachine } from '#platform/servicing/store.ts'
import { stepMachine } from '#platform/step/store.ts'
import { code, mermaid, page, table } from './markdown.ts'

interface MachineDiagram {
  title: string
  about: string
  source: string
  machine: Table<string, string>
}

/** Every machine of platform, partner and exchange. */
export const machines: MachineDiagram[] = [
  {
    title: 'Lifecycle of a journey',
    about: 'What an integrator is told of, at most once each (D1 §3).',
    source: 'src/platform/journey/lifecycle-payload.ts',
    machine: lifecycle,
  },
  {
    title: 'Step of a loan',
    about: 'Each of KYC, bank account, mandate, agreement and disbursal moves by itself (D2 §2.3).',
    source: 'src/platform/step/store.ts',
    machine: stepMachine,
  },
  {
    title: 'Consent session with an account aggregator',
    about: 'One consent that a lender asks for (D2 §2.2).',
    source: 'src/platform/aa/session.ts',
    machine: aaMachine,
  },
  {
    title: 'Request after disbursal',
    about: 'Foreclosure, part payment, a missed instalment, or how the loan stands (D2 §4).',
    source: 'src/platform/servicing/store.ts',
    machine: servicingMachine,
  },
  {
    title: 'Complaint',
    about: 'A complaint of a borrower, whoever answers for it (D3 §1).',
    source: 'src/platform/complaint/complaint.ts',
    machine: complaintMachine,
  },
  {
    title: 'Grievance',
    about: 'A complaint about a loan of the network, as its lender has it (FIS12 §20).',
    source: 'src/platform/grievance/grievance.ts',
    machine: grievanceMachine,
  },
  {
    title: 'Conversation with a lender of the network',
    about: 'How far the messages with one lender have come (FIS12 §8.1, §9.1, §10.2).',
    source: 'src/platform/network/stage.ts',
    machine: networkStages,
  },
  {
    title: 'Application at the lending partner',
    about: 'How far a case has come on the side of the platform (D3 §1, §3).',
    source: 'src/platform/exchange/case.ts',
    machine: caseStages,
  },
  {
    title: 'Loan case of the partner',
    about: 'The same application, as the lender keeps it (D3 §3).',
    source: 'src/partner/case/lifecycle.ts',
    machine: caseLifecycle,
  },
  {
    title: 'Loan of the partner',
    about: 'The account after the money (D3 §3).',
    source: 'src/partner/loan/loan.ts',
    machine: loanLifecycle,
  },
  {
    title: 'Disbursement of the partner',
    about: 'The transfer of a loan to its borrower (D3 §2.5).',
    source: 'src/partner/collection/transfer/store.ts',
    machine: disbursementLifecycle,
  },
  {
    title: 'Refund of the partner',
    about: 'What was paid too much, on its way back to the borrower.',
    source: 'src/partner/collection/transfer/store.ts',
    machine: refundLifecycle,
  },
  {
    title: 'Payment to the partner',
    about: 'A debit under a mandate, a claim, a receipt, or the taking back of one (D3 §2.5).',
    source: 'src/partner/collection/payment.ts',
    machine: paymentLifecycle,
  },
  {
    title: 'KYC in the exchange',
    about: 'What KYC_UPDATED may say after what (D3 §6).',
    source: 'src/contract/exchange/event/kyc.ts',
    machine: kycMachine,
  },
  {
    title: 'Mandate in the exchange',
    about: 'What MANDATE_UPDATED may say after what (D3 §6).',
    source: 'src/contract/exchange/event/mandate.ts',
    machine: mandateMachine,
  },
  {
    title: 'E-sign in the exchange',
    about: 'What ESIGN_UPDATED may say after what (D3 §6).',
    source: 'src/contract/exchange/event/mandate.ts',
    machine: esignMachine,
  },
]

/** `docs/explanation/state-machines.md`. */
export const stateMachines = (): string =>
  page(
    'State machines',
    'What may follow what, drawn from the tables that the programs run by: a move that is not in a table is refused. Where several moves lead the same way they share an arrow.',
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

/** The label of a move, unless it equals the state that it leads to. */
const labelOf = (arrow: string, moves: string[]): string =>
  moves.map((move) => (arrow.endsWith(`--> ${move}`) ? 'then' : move)).join(', ')

function ends(machine: Table<string, string>): string {
  const terminal = Object.keys(machine).filter((status) => isTerminal(machine, status))
  return terminal.length === 0 ? 'It never ends.' : `Nothing follows ${terminal.map(code).join(', ')}.`
}
