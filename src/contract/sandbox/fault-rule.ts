// A row of a table of faults that the sandbox can play.

/** What four digits bring about. */
export interface SandboxRule<Scenario = string> {
  /** Characters 6 to 9 of the PAN; at the bank the last four digits of the account number, too. */
  digits: string
  scenario: Scenario
  what: string
}

/** A row of the table that the lenders, their page, the demo page and the documents read. */
export interface FaultRule<Scenario = string> extends SandboxRule<Scenario> {
  /** The lenders it happens at, where it is not every lender. The others decide honestly. */
  lenders?: readonly string[]
  title: string
  /** What comes of it, beside that, for whoever integrates. */
  outcome?: string
}
