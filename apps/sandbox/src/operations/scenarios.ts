// What the command line shows of the rules by which the outside world answers.
export { rules as bankRules } from '#sandbox/bank/fault-rules.ts'
export { rules as bureauRules } from '#sandbox/bureau/report.ts'
export { policyOf } from '#sandbox/lender/core/lender-policies.ts'
export { rules as verificationRules } from '#sandbox/verification/fault-rules.ts'
