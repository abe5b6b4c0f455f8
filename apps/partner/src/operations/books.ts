// What the command line may do with books, classes and reports.
export { journalCsv, journalJson, readJournal } from '#partner/books/ledger/journal.ts'
export { ledgerSettings } from '#partner/books/ledger/settings.ts'
export { bureauAccounts, bureauCsv } from '#partner/records/report/bureau-report.ts'
export { rederiveBooks } from '#partner/records/report/rederive-books.ts'
export { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
export { lastBusinessDay } from '#partner/servicing/loan/class/store.ts'
