// The model grievance about a gold loan: opened, questioned, escalated, resolved, rated and closed.

import { required } from '@lendloom/foundation/required'
import type { AnyAction } from '@lendloom/wire/network/igm/actions'
import { conversationIn, type Step } from './conversation.ts'
import { goldLoan } from './gold-loan.ts'

export type GrievanceStep = Omit<Step, 'action'> & { action: AnyAction }

/** Returns fresh copies of the grievance's messages in wire order, without those of its loan. */
export const grievance = (): GrievanceStep[] => conversationIn('grievance')

/** The same grievance in IGM 2.0.0, refused once and then accepted. */
export const complaintSteps = (): GrievanceStep[] => conversationIn('complaint')

/** The messages of the gold loan up to its confirmation, then those of the grievance. */
export function loanWithGrievance(steps = grievance()): GrievanceStep[] {
  const loan = goldLoan()
  return [...loan.slice(0, loan.findIndex(({ step }) => step === 'on_confirm') + 1), ...steps]
}

export const grievanceStep = (name: string): GrievanceStep =>
  required(
    grievance().find(({ step }) => step === name),
    `step ${name}`,
  )
