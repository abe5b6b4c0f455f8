// What the command line may do with books, classes and reports.
export { journalCsv, journalJson, readJournal } from '#partner/ledger/books.ts'
export { ledgerSettings } from '#partner/ledger/settings.ts'
export { duesTolerance } from '#partner/loan/class/classify.ts'
export { lastBusinessDay } from '#partner/loan/class/store.ts'
export { bureauAccounts, bureauCsv } from '#partner/report/bureau.ts'
export { rederiveBooks } from '#partner/report/rederive.ts'
