// Which fault scenario a PAN asks for: four of its digits decide what goes wrong, so that every ending can be met on purpose.
import { type FaultScenario, faultRules } from './fault-rules.ts'

/** What the PAN asks of this lender; null for an ordinary applicant. */
export function scenarioFor(pan: string, slug: string): FaultScenario | null {
  const digits = pan.slice(5, 9)
  const rule = faultRules.find((each) => each.digits === digits && (each.lenders?.includes(slug) ?? true))
  return rule?.scenario ?? null
}
