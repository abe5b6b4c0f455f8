// The headings of a statement's table, and what each column says. A column whose heading banks do not use is unknown.

import { unreadableStatement } from './statement-line.ts'

/** Headings that banks use, reduced to lower-case letters and digits. The first of several wins. */
const headings = {
  date: [
    'valuedate',
    'valuedt',
    // HDFC writes it so.
    'valuedat',
    'date',
    'transactiondate',
    'txndate',
    'trandate',
    'transdate',
    'postdate',
    'postingdate',
    'posteddate',
    'bookingdate',
    'bookdate',
    'entrydate',
    'txnposteddate',
    'transactionposteddate',
    'transactiondatetime',
    'txndatetime',
    'datetime',
  ],
  reference: [
    'reference',
    'referenceno',
    'referencenumber',
    'utr',
    'utrno',
    'utrnumber',
    'bankreference',
    'bankreferenceno',
    'bankrefno',
    'chequerefno',
    'chqrefno',
    'chqrefnumber',
    'chequereferenceno',
    'ref',
    'refno',
    'refnumber',
    'refnochequeno',
    'rrn',
    'transactionid',
    'transactionreference',
    'transactionrefno',
    'transactionno',
    'transactionnumber',
    'txnid',
    'txnno',
    'txnrefno',
    'tranid',
    'tranno',
    'cheque',
    'chequeno',
    'chequenumber',
    'chq',
    'chqno',
    'instrumentno',
    'instrumentnumber',
    'instrumentid',
  ],
  description: [
    'description',
    'transactiondescription',
    'narration',
    'narrative',
    'remark',
    'remarks',
    'particulars',
    'transactionremarks',
    'transactionparticulars',
    'transactiondetails',
    'transactionnarration',
    'details',
  ],
  debit: [
    'debit',
    'debits',
    'debitamt',
    'debitamount',
    'withdrawal',
    'withdrawals',
    'withdrawalamt',
    'withdrawalamount',
    'withdrawaldr',
    'dramount',
    'dramt',
    'dr',
    'amountdr',
    'paidout',
    'moneyout',
  ],
  credit: [
    'credit',
    'credits',
    'creditamt',
    'creditamount',
    'deposit',
    'deposits',
    'depositamt',
    'depositamount',
    'depositcr',
    'cramount',
    'cramt',
    'cr',
    'amountcr',
    'paidin',
    'moneyin',
  ],
  amount: ['amount', 'amt', 'transactionamount', 'transactionamt', 'txnamount', 'txnamt', 'tranamount'],
  balance: [
    'balance',
    'bal',
    'balanceamount',
    'balanceamt',
    'runningbalance',
    'runningbal',
    'closingbalance',
    'closingbal',
    'ledgerbalance',
    'accountbalance',
    'currentbalance',
    'balanceafter',
    'balanceaftertransaction',
    'bookbalance',
    'totalbalance',
  ],
  status: [
    'status',
    'transactionstatus',
    'txnstatus',
    'transtatus',
    'paymentstatus',
    'entrystatus',
    'state',
    'result',
    'statusdescription',
  ],
  currency: [
    'currency',
    'ccy',
    'curr',
    'cur',
    'currencycode',
    'transactioncurrency',
    'txncurrency',
    'accountcurrency',
    'amountcurrency',
  ],
  account: ['account', 'accountno', 'accountnumber', 'accno', 'acno', 'acctno', 'acnumber'],
  /** A side in some statements, and a way of payment such as NEFT in others: the cells decide, and must be one of both. */
  type: [
    'type',
    'txntype',
    'trantype',
    'transtype',
    'transactiontype',
    'entrytype',
    'postingtype',
    'amounttype',
    'vouchertype',
    'vchtype',
    'category',
    'transactioncategory',
    'nature',
    'mode',
    'transactionmode',
    'paymentmode',
    'code',
    'transactioncode',
    'txncode',
    'trancode',
  ],
} as const

/** Columns that say nothing about the money of a movement. */
const harmless = new Set([
  's',
  'sl',
  'sr',
  'no',
  'sno',
  'slno',
  'srno',
  'seqno',
  'sequence',
  'serial',
  'serialno',
  'serialnumber',
  'line',
  'lineno',
  'time',
  'txntime',
  'transactiontime',
  'valuetime',
  'chequedate',
  'instrumentdate',
  'branch',
  'branchcode',
  'branchname',
  'branchnamesol',
  'brcode',
  'initbr',
  'sol',
  'solid',
  'location',
  'channel',
  'user',
  'userid',
  'accountname',
  'accountholder',
  'customername',
  'customerid',
  'customerno',
  'party',
  'partyname',
  'counterparty',
  'counterpartyname',
  'payer',
  'payername',
  'payee',
  'payeename',
  'remitter',
  'remittername',
  'remitteraccount',
  'remitterbank',
  'remitterifsc',
  'sender',
  'sendername',
  'senderaccount',
  'beneficiary',
  'beneficiaryname',
  'beneficiaryaccount',
  'beneficiarybank',
  'beneficiaryifsc',
  'bank',
  'bankname',
  'ifsc',
  'ifsccode',
  'vpa',
  'upiid',
  'virtualaccount',
  'virtualaccountno',
  'availablebalance',
  'availablebal',
])

const sideHeading =
  /^(?:txn|tran|trans|transaction|entry|amount|amt)?(?:side|sign|direction|indicator|flag|(?:dr|db|d|debit|withdrawal)(?:or|and)?(?:cr|c|credit|deposit)|(?:cr|c|credit|deposit)(?:or|and)?(?:dr|db|d|debit|withdrawal))(?:flag|ind|indicator|type|sign|mark|marker|code|side)?$/

const balanceSideHeading =
  /^(?:balance|bal)(?:sign|type|side|indicator|ind|(?:dr|d|debit)(?:cr|c|credit)|(?:cr|c|credit)(?:dr|d|debit))$/

const maxColumns = 128

type Named = keyof typeof headings

/** The index of the column for each meaning. */
export interface Columns extends Partial<Record<Exclude<Named, 'reference' | 'type'>, number>> {
  /** The headings as the file has them, without empty ones at the end. */
  names: string[]
  /** The best reference first. */
  references: number[]
  types: number[]
  /** Those of the types whose cells must be ways of payment, because any other word could be the side of the amount. */
  ways: number[]
  /** Columns with Cr and Dr of the amount. */
  sides: number[]
  balanceSide?: number
  unknown: number[]
}

/**
 * The money unit `(INR)` or `in Rs.` of a heading says nothing, nor does the format of a date; any other unit makes the
 * heading unknown.
 */
const reduced = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\(dd[-/.]mm[-/.]yy(?:yy)?\)/, '')
    .replace(/\( ?(?:in )?(?:inr|rs\.?|₹|rupees) ?\)|\b(?:in )?(?:inr|rs\.?|rupees)$|₹$/, '')
    .replaceAll(/[\s'"._/\\|&:,()*#-]/g, '')

const isNamed = (name: string, meaning: Named): boolean => (headings[meaning] as readonly string[]).includes(name)

export function columnsOf(cells: string[]): Columns {
  const names = cells.slice(0, Math.min(cells.findLastIndex((name) => name !== '') + 1, maxColumns))
  const all = names.map(reduced)
  /** The best heading first. */
  const indexesOf = (meaning: Named): number[] =>
    headings[meaning].flatMap((heading) => all.flatMap((name, index) => (name === heading ? [index] : [])))
  const columns: Columns = {
    names,
    references: indexesOf('reference'),
    types: indexesOf('type'),
    ways: [],
    sides: [],
    unknown: [],
  }
  for (const meaning of oneOfEach) {
    const [index] = indexesOf(meaning)
    if (index !== undefined) columns[meaning] = index
  }
  addSides(columns, all)
  const isKnown = (name: string): boolean =>
    harmless.has(name) ||
    sideHeading.test(name) ||
    balanceSideHeading.test(name) ||
    meanings.some((meaning) => isNamed(name, meaning))
  for (const [index, name] of all.entries()) if (!isKnown(name)) columns.unknown.push(index)
  return columns
}

const oneOfEach = [
  'date',
  'description',
  'debit',
  'credit',
  'amount',
  'balance',
  'status',
  'currency',
  'account',
] as const
const meanings = [...oneOfEach, 'reference', 'type'] as const

/** A column for Cr and Dr to the right of the balance belongs to the balance, if the amount has another. */
function addSides(columns: Columns, all: string[]): void {
  const { balance, debit, credit } = columns
  const hasBoth = debit !== undefined && credit !== undefined
  const sides = all.flatMap((name, index) => (sideHeading.test(name) ? [index] : []))
  const explicit = all.findIndex((name) => balanceSideHeading.test(name))
  const beside = sides.find((index) => balance !== undefined && index === balance + 1)
  const isOfBalance = explicit < 0 && beside !== undefined && (hasBoth || sides.length > 1)
  if (explicit >= 0) columns.balanceSide = explicit
  if (isOfBalance) columns.balanceSide = beside
  columns.sides = sides.filter((index) => !isOfBalance || index !== beside)
}

export const hasRequiredColumns = ({ date, references, debit, credit, amount }: Columns): boolean =>
  date !== undefined && references.length > 0 && (amount !== undefined || (debit !== undefined && credit !== undefined))

/** Refuses headings that leave open which column has the amount. */
export function checkHeadings({ names, debit, credit, amount }: Columns, line: number): void {
  if (amount !== undefined && (debit === undefined) !== (credit === undefined))
    throw unreadableStatement(`line ${line}: the heading has ${names[debit ?? credit ?? -1]}, but not its other side`)
  const all = names.map(reduced)
  for (const meaning of ['debit', 'credit', 'amount', 'balance', 'status', 'currency', 'account'] as const) {
    const found = all.flatMap((name, index) => (isNamed(name, meaning) ? [names[index] ?? ''] : []))
    if (found.length > 1) throw unreadableStatement(`line ${line}: the headings ${found.join(' and ')} mean the same`)
  }
  const twice = all.findIndex((name, index) => isNamed(name, 'date') && all.indexOf(name) !== index)
  if (twice >= 0) throw unreadableStatement(`line ${line}: the heading ${names[twice]} stands twice`)
}

/**
 * Words of one meaning in every statement. `Receipt`, `Payment`, `Collection` and `Refund` are none: some statements name
 * with them what the other party did. Nor is `W`, beside which `D` would be a deposit.
 */
const sideWords: Record<'c' | 'd', readonly string[]> = {
  c: [
    'c',
    'cr',
    'crd',
    'crdt',
    'credit',
    'credits',
    'credited',
    'dep',
    'deposit',
    'deposits',
    'deposited',
    '+',
    'in',
    'inward',
    'inflow',
    'incoming',
    'received',
    'जमा',
    'क्रेडिट',
  ],
  d: [
    'd',
    'dr',
    'db',
    'dbt',
    'dbit',
    'debit',
    'debits',
    'debited',
    'wd',
    'wdl',
    'wdrl',
    'withdraw',
    'withdrawal',
    'withdrawals',
    'withdrawn',
    '-',
    'out',
    'outward',
    'outflow',
    'outgoing',
    'paid',
    'नामे',
    'डेबिट',
    'निकासी',
  ],
}

export type Side = keyof typeof sideWords

/** Reads a cell such as `Cr`, `(Dr.)`, `Debit` or `-`. */
export function sideOf(text: string): Side | null {
  const word = text.toLowerCase().replaceAll(/[().\s]/g, '')
  if (sideWords.c.includes(word)) return 'c'
  return sideWords.d.includes(word) ? 'd' : null
}

/** Whether a cell such as `NEFT Cr` speaks of a side. */
export const namesSide = (text: string): boolean => text.split(/[\s/_-]/).some((word) => sideOf(word) !== null)

/** The words of ways of payment that bring money in as well as out. `ATM`, `Charges` and `Interest` are none. */
const wayWords = new Set([
  'neft',
  'rtgs',
  'imps',
  'upi',
  'ach',
  'nach',
  'enach',
  'ecs',
  'eft',
  'ft',
  'ift',
  'bbps',
  'aeps',
  'apbs',
  'cts',
  'swift',
  'wire',
  'cash',
  'cheque',
  'cheques',
  'chq',
  'draft',
  'demand',
  'dd',
  'clearing',
  'clg',
  'transfer',
  'transfers',
  'trf',
  'tfr',
  'trfr',
  'fund',
  'funds',
  'internal',
  'bank',
  'banking',
  'net',
  'netbanking',
  'internet',
  'mobile',
  'online',
  'electronic',
  'mandate',
  'emandate',
  'e',
])

/** Whether a cell such as `NEFT`, `Fund Transfer` or `NEFT/RTGS` is a way of payment, and says no more. */
export const isWayOfPayment = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s/_().-]+/)
    .filter((word) => word !== '')
    .every((word) => wayWords.has(word))
