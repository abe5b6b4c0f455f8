// The fault scenario of a PAN: four of its digits select a fault, so that every ending can be tested.
import { type FaultScenario, faultRules } from './fault-rules.ts'

/** The PAN's scenario for this lender; null for an ordinary applicant. */
export function scenarioFor(pan: string, slug: string): FaultScenario | null {
  const digits = pan.slice(5, 9)
  const rule = faultRules.find((each) => each.digits === digits && (each.lenders?.includes(slug) ?? true))
  return rule?.scenario ?? null
}
