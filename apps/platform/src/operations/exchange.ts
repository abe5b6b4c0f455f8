// What the command line may do with lending partners and their settings.
export { partnerSendersOf } from '#platform/exchange/partner/store.ts'
export { defaultRules, type SandboxPartner } from '#platform/exchange/settings.ts'
