// What the command line may do with cases.
export { rules as partnerRules } from '#partner/case/sandbox-rules.ts'
export { ownersOf } from '#partner/case/store.ts'
