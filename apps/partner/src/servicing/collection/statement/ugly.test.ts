// Kinds of ugly statements: each is read as the bank meant it, or refused with the line and the column, never misread.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { rupees } from '@lendloom/lending/money'
import { strToU8, zipSync } from 'fflate'
import { fileOf } from './parse-statement.ts'

const rules = { today: '2026-12-09', accounts: ['50200047110101'] }

interface Kind {
  kind: string
  file: string | Buffer
  /** The lines as `amount reference`, or why the file is refused. */
  expected: string[] | RegExp
}

/** A statement with an amount and one more column. */
const beside = (heading: string, ...cells: string[]): string =>
  `Date,Reference,Amount,${heading}\n${cells.map((cell, i) => `27/11/2026,UTR${i + 1},500.00,${cell}\n`).join('')}`

const inAndOut = ['500.00 UTR1', '-500.00 UTR2']

/** Headings of columns with the side of the amount. */
const sideHeadings: [heading: string, credit: string, debit: string][] = [
  ['Type', 'Cr', 'Dr'],
  ['Type', 'CREDIT', 'DEBIT'],
  ['Txn Type', 'C', 'D'],
  ['Transaction Type', 'Credit', 'Debit'],
  ['Tran Type', 'CR', 'DR'],
  ['D/C', 'C', 'D'],
  ['C/D', 'C', 'D'],
  ['Cr/Dr Flag', 'CR', 'DR'],
  ['DrCr Ind', 'Cr.', 'Dr.'],
  ['Dr Cr Indicator', 'C', 'D'],
  ['Sign', '+', '-'],
  ['Dr or Cr', 'Cr', 'Dr'],
  ['Debit or Credit', 'Credit', 'Debit'],
  ['DB/CR', 'CR', 'DB'],
  ['Txn Dr/Cr', '(Cr)', '(Dr)'],
  ['Amount Type', 'Credited', 'Debited'],
  ['Entry Type', 'Deposit', 'Withdrawal'],
  ['Direction', 'IN', 'OUT'],
  ['Nature', 'Inward', 'Outward'],
  ['Txn Type', 'DEP', 'WDL'],
  ['Mode', 'DEP', 'WDL'],
  ['Payment Mode', 'DEP', 'WDL'],
  ['Code', 'DEP', 'WDL'],
  ['Category', 'DEP', 'WDL'],
  ['Nature', 'DEP', 'WDL'],
  ['Transaction Code', 'DEP', 'WDL'],
  ['Tran Type', 'DEP', 'WDL'],
  ['Txn Type', 'Deposits', 'Withdrawals'],
  ['Txn Type', 'Incoming', 'Outgoing'],
  ['Txn Type', 'Crdt', 'Dbit'],
  ['Txn Type', 'CRD', 'DBT'],
  ['Txn Type', 'जमा', 'नामे'],
]

const sides: Kind[] = sideHeadings.map(([heading, credit, debit]) => ({
  kind: `the side in a column ${heading} with ${credit} and ${debit}`,
  file: beside(heading, credit, debit),
  expected: inAndOut,
}))

/** Words that are a side, but of which nobody can say for sure which one it is. */
const unknownSides: Kind[] = [
  ['Receipt', 'Payment'],
  ['Receipt', 'Refund'],
  ['Payin', 'Payout'],
  ['R', 'P'],
  ['1', '2'],
  ['Collection', 'Disbursement'],
  ['Collection', 'Charges'],
  ['W', 'W'],
].flatMap(([first = '', second = '']) =>
  ['Txn Type', 'Mode', 'Code'].map((heading) => ({
    kind: `a column ${heading} with ${first} and ${second}, which may be sides`,
    file: beside(heading, first, second),
    expected: new RegExp(
      `line 2, column ${heading}: "${first}" is neither Cr nor Dr, nor a way of payment such as NEFT`,
    ),
  })),
)

const explained: Kind[] = [
  {
    kind: 'a word that may be a side among ways of payment',
    file: beside('Mode', 'NEFT', '', 'Payout'),
    expected: /line 4, column Mode: "Payout" is neither Cr nor Dr, nor a way of payment/,
  },
  {
    kind: 'ways of payment beside amounts without a sign',
    file: beside('Mode', 'NEFT', 'Fund Transfer', '', 'NEFT/RTGS', 'Net Banking', 'E-Mandate', 'Cheque'),
    expected: ['1', '2', '3', '4', '5', '6', '7'].map((number) => `500.00 UTR${number}`),
  },
  {
    kind: 'any words beside amounts with a sign',
    file: 'Date,Reference,Category,Amount\n27/11/2026,UTR1,EMI,500.00\n27/11/2026,UTR2,Charges,-500.00\n',
    expected: inAndOut,
  },
  {
    kind: 'any words beside a column with the side',
    file: 'Date,Reference,Amount,D/C,Category\n27/11/2026,UTR1,500.00,C,EMI\n27/11/2026,UTR2,500.00,D,Charges\n',
    expected: inAndOut,
  },
  {
    kind: 'an opening balance with a sign above amounts whose side is not known',
    file: `${beside('Type', 'Payout').replace('\n', '\n24/11/2026,Opening Balance,"1,000.00 Cr",\n')}`,
    expected: /line 3, column Type: "Payout" is neither Cr nor Dr/,
  },
  {
    kind: 'a withdrawal in the description alone',
    file: 'Date,Reference,Description,Amount\n27/11/2026,UTR1,Withdrawal,500.00\n',
    expected: /line 2, column Description: "Withdrawal" is the other side than the amount/,
  },
  {
    kind: 'a side that is neither',
    file: beside('Type', 'Cr', 'NEFT'),
    expected: /line 3, column Type: "NEFT" is neither Cr nor Dr/,
  },
  {
    kind: 'a side among other words',
    file: beside('Type', 'NEFT Cr', 'NEFT Dr'),
    expected: /line 2, column Type: "NEFT Cr" is neither Cr nor Dr/,
  },
  {
    kind: 'an empty side',
    file: beside('D/C', 'C', ''),
    expected: /line 3, column D\/C: "" is neither Cr nor Dr/,
  },
  {
    kind: 'a way of payment under Type',
    file: 'Date,Reference,Type,Amount\n27/11/2026,UTR1,NEFT,500.00\n27/11/2026,UTR2,RTGS,-500.00\n',
    expected: inAndOut,
  },
  {
    kind: 'a side under a heading that banks do not use',
    file: beside('Flow', 'Cr', 'Dr'),
    expected: /line 2, column Flow: "Cr" is not explained: the heading "Flow" is not known/,
  },
  {
    kind: 'a side in the description alone',
    file: 'Date,Reference,Description,Amount\n27/11/2026,UTR1,Debit,500.00\n',
    expected: /line 2, column Description: "Debit" is the other side than the amount/,
  },
  {
    kind: 'two columns with different sides',
    file: 'Date,Reference,Amount,Type,D/C\n27/11/2026,UTR1,500.00,Cr,D\n',
    expected: /line 2, column Amount: the amount is both a debit and a credit/,
  },
  {
    kind: 'a sign against the side',
    file: beside('Sign', '+').replace('500.00', '-500.00'),
    expected: /line 2, column Amount: the amount is both a debit and a credit/,
  },
  {
    kind: 'a side against the column of the amount',
    file: 'Date,Reference,Debit,Credit,Type\n27/11/2026,UTR1,,500.00,Dr\n',
    expected: /line 2, column Type: "Dr" is the other side than the amount/,
  },
  {
    kind: 'a side beside the balance is of the balance',
    file: 'Date,Reference,Debit,Credit,Balance,Dr/Cr\n27/11/2026,UTR1,,500.00,200.00,Dr\n27/11/2026,UTR2,500.00,,700.00,Dr\n',
    expected: inAndOut,
  },
  {
    kind: 'an amount beside its debit and credit',
    file: 'Date,Reference,Amount,Debit,Credit\n27/11/2026,UTR1,500.00,,500.00\n27/11/2026,UTR2,500.00,500.00,\n',
    expected: inAndOut,
  },
  {
    kind: 'an amount that is neither the debit nor the credit',
    file: 'Date,Reference,Amount,Debit,Credit\n27/11/2026,UTR1,50.00,,500.00\n',
    expected: /line 2, column Amount: the amount is neither the debit nor the credit/,
  },
  {
    kind: 'an amount and a debit without a credit',
    file: 'Date,Reference,Amount,Debit\n27/11/2026,UTR1,500.00,500.00\n',
    expected: /line 1: the heading has Debit, but not its other side/,
  },
  {
    kind: 'two amounts',
    file: 'Date,Reference,Amount,Transaction Amount\n27/11/2026,UTR1,500.00,5.00\n',
    expected: /line 1: the headings Amount and Transaction Amount mean the same/,
  },
  {
    kind: 'two dates of one heading',
    file: 'Date,Reference,Amount,Date\n27/11/2026,UTR1,500.00,28/11/2026\n',
    expected: /line 1: the heading Date stands twice/,
  },
  {
    kind: 'a charge in a column of its own',
    file: beside('Charges', '11.80'),
    expected: /line 2, column Charges: "11\.80" is not explained/,
  },
  {
    kind: 'a cell without a heading',
    file: beside('', 'Dr'),
    expected: /line 2 has more columns than the heading/,
  },
  {
    kind: 'a cell under an empty heading',
    file: 'Date,,Reference,Amount\n27/11/2026,Dr,UTR1,500.00\n',
    expected: /line 2, column 2: "Dr" is not explained: the column has no heading/,
  },
  {
    kind: 'an empty column under an unknown heading',
    file: beside('Flow', '', ''),
    expected: ['500.00 UTR1', '500.00 UTR2'],
  },
  {
    kind: 'a line that failed',
    file: beside('Status', 'SUCCESS', 'FAILED'),
    expected: /line 3, column Status: "FAILED" does not say that the money moved/,
  },
  {
    kind: 'a line that is pending',
    file: beside('Txn Status', 'Pending'),
    expected: /line 2, column Txn Status: "Pending" does not say that the money moved/,
  },
  {
    kind: 'a line without a status',
    file: beside('Status', 'Posted', ''),
    expected: /line 3, column Status: "" does not say that the money moved/,
  },
  {
    kind: 'lines that all happened',
    file: beside('Payment Status', 'Success', 'Completed'),
    expected: ['500.00 UTR1', '500.00 UTR2'],
  },
  {
    kind: 'a line in dollars',
    file: beside('Currency', 'INR', 'USD'),
    expected: /line 3, column Currency: the currency is "USD", not INR/,
  },
  {
    kind: 'a currency under a short heading',
    file: beside('CCY', 'AED'),
    expected: /line 2, column CCY: the currency is "AED", not INR/,
  },
  {
    kind: 'a currency above the heading',
    file: `Currency,USD,,\n${beside('Remarks', 'x')}`,
    expected: /line 1: the currency is "USD", not INR/,
  },
  {
    kind: 'a currency in the heading',
    file: 'Date,Reference,Amount (USD)\n27/11/2026,UTR1,500.00\n',
    expected: /must contain the columns date, reference, and amount/,
  },
  {
    kind: 'a currency sign in the heading',
    file: 'Date,Reference,Amount ($)\n27/11/2026,UTR1,500.00\n',
    expected: /must contain the columns date, reference, and amount/,
  },
  {
    kind: 'thousands in the heading',
    file: "Date,Reference,Amount ('000)\n27/11/2026,UTR1,500.00\n",
    expected: /must contain the columns date, reference, and amount/,
  },
  {
    kind: 'lakhs above the heading',
    file: `Amounts in Rs. lakhs,,,\n${beside('Remarks', 'x')}`,
    expected: /line 1: "Amounts in Rs\. lakhs" is not rupees/,
  },
  {
    kind: 'rupees in the heading',
    file: 'Date,Reference,Amount (in Rs.)\n27/11/2026,UTR1,500.00\n',
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'a line of another account',
    file: beside('Account No', '50200047110101', '60200047110101'),
    expected: /line 3, column Account No: the account 60200047110101 is not the lender's account/,
  },
]

const head = 'Date,Narration,Reference,Debit,Credit\n'
const withBalance = 'Date,Narration,Reference,Debit,Credit,Balance\n'
const first = '25/11/2026,NEFT,UTR1,,"4,790.00","5,790.00"\n'
const second = '26/11/2026,NACH,UTR2,"1,000.00",,"4,790.00"\n'
const third = '27/11/2026,NEFT,UTR3,,500.00,"5,290.00"\n'
const all = ['4790.00 UTR1', '-1000.00 UTR2', '500.00 UTR3']

const cut: Kind[] = [
  {
    kind: 'a file that was cut in an amount',
    file: 'Date,Reference,Amount\n26/11/2026,UTR1,500.00\n27/11/2026,UTR2,47',
    expected: /line 3, column Amount: the file ends after "47", without a line break: it may be cut/,
  },
  {
    kind: 'a file that was cut after the decimal point',
    file: 'Date,Reference,Amount\n27/11/2026,UTR2,4790.',
    expected: /line 2, column Amount: "4790\." is not an amount/,
  },
  {
    kind: 'a file that was cut before the balance',
    file: `${withBalance}${first}26/11/2026,NEFT,UTR2,,47`,
    expected: /line 3 has fewer columns than the heading: the line may be cut/,
  },
  {
    kind: 'a line that was cut in its amount, in the middle',
    file: `${head}25/11/2026,NEFT,UTR1,47\n26/11/2026,NEFT,UTR2,,500.00\n`,
    expected: /line 2 has fewer columns than the heading: the line may be cut/,
  },
  {
    kind: 'an amount of which a part is on the next line',
    file: 'Date,Reference,Amount\n27/11/2026,UTR2,47\n90.00\n',
    expected: /line 3 has figures, but no date and no name|line 3, column Date: "90\.00" is not a date/,
  },
  {
    kind: 'a complete file without a last line break',
    file: 'Date,Reference,Amount\n27/11/2026,UTR2,4790.00',
    expected: ['4790.00 UTR2'],
  },
  {
    kind: 'whole rupees without a last line break, which the balances confirm',
    file: 'Date,Reference,Amount,Balance\n26/11/2026,UTR1,500,500\n27/11/2026,UTR2,47,547',
    expected: ['500.00 UTR1', '47.00 UTR2'],
  },
  {
    kind: 'an unquoted amount with a comma',
    file: `${head}27/11/2026,NEFT,UTR1,,4,790.00\n`,
    expected: /line 2 has more columns than the heading/,
  },
  {
    kind: 'an unquoted amount with a comma, before an empty balance',
    file: `${withBalance}27/11/2026,NEFT,UTR1,,4,790.00\n`,
    expected: /line 2, column Credit: "4,790\.00" may be one amount without quotes, or two cells/,
  },
  {
    kind: 'an unquoted amount with a comma, before empty remarks',
    file: 'Date,Reference,Amount,Remarks\n27/11/2026,UTR1,4,790.00\n',
    expected: /line 2, column Amount: "4,790\.00" may be one amount/,
  },
  {
    kind: 'an unquoted debit with a comma',
    file: `${head}27/11/2026,NEFT,UTR1,97,640.00\n`,
    expected: /line 2 has a debit and a credit/,
  },
  {
    kind: 'a small amount beside a balance that confirms it',
    file: 'Date,Reference,Amount,Balance\n26/11/2026,UTR1,786.00,786\n27/11/2026,UTR2,4,790.00\n',
    expected: ['786.00 UTR1', '4.00 UTR2'],
  },
  {
    kind: 'an amount with a decimal comma',
    file: 'Date;Reference;Amount\n27/11/2026;UTR1;4790,00\n',
    expected: /line 2, column Amount: "4790,00" is not an amount/,
  },
  {
    kind: 'an amount with points between thousands',
    file: 'Date;Reference;Amount\n27/11/2026;UTR1;4.790\n',
    expected: /line 2, column Amount: "4\.790" is not an amount/,
  },
  {
    kind: 'an amount in exponents',
    file: 'Date,Reference,Amount\n27/11/2026,UTR1,4.79E+03\n',
    expected: /line 2, column Amount: "4\.79E\+03" is not an amount/,
  },
  {
    kind: 'an amount that the column was too narrow for',
    file: 'Date,Reference,Amount\n27/11/2026,UTR1,######\n',
    expected: /line 2, column Amount: "######" is not an amount/,
  },
]

const references: Kind[] = [
  ['6.34E+11', 'a UTR in exponents'],
  ['6.34123E+15', 'a long UTR in exponents'],
  ['6,34E+11', 'a UTR in exponents with a comma'],
  ['634123456789.0', 'a UTR as a decimal number'],
  ['634123456789012000', 'a UTR of which the last digits became zeros'],
  ['#N/A', 'a formula that failed'],
  ['#REF!', 'a formula that lost its cell'],
  ['########', 'a UTR that the column was too narrow for'],
].map(([reference = '', kind = '']) => ({
  kind,
  file: `Date,Reference,Amount\n27/11/2026,"${reference}",500.00\n`,
  expected: /line 2, column Reference: a spreadsheet has changed the reference into "/,
}))

const keptReferences: Kind[] = [
  {
    kind: 'a UTR with an apostrophe of a spreadsheet',
    file: "Date,Reference,Amount\n27/11/2026,'634123456789,500.00\n",
    expected: ['500.00 634123456789'],
  },
  {
    kind: 'a UTR of zeros and digits',
    file: 'Date,Reference,Amount\n27/11/2026,0000433212345000,500.00\n',
    expected: ['500.00 0000433212345000'],
  },
  {
    kind: 'an empty reference beside a cheque number',
    file: 'Date,UTR,Cheque No,Amount\n27/11/2026,-,000123,500.00\n',
    expected: ['500.00 000123'],
  },
  {
    kind: 'a spoilt cheque number beside a UTR',
    file: 'Date,UTR,Cheque No,Amount\n27/11/2026,UTR1,6.34E+11,500.00\n',
    expected: /line 2, column Cheque No: a spreadsheet has changed the reference/,
  },
  {
    kind: 'a reference on a line of its own',
    file: `${head}27/11/2026,NEFT,UTR1,,500.00\n,,23456,,\n28/11/2026,NEFT,UTR2,,5.00\n`,
    expected: /line 3 has a reference but no date/,
  },
]

const rows: Kind[] = [
  {
    kind: 'an opening balance with a date in the column of credits',
    file: `${head}24/11/2026,Opening Balance,,,"1,000.00"\n27/11/2026,NEFT,UTR1,,500.00\n`,
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'a balance brought forward with a date in the column of credits',
    file: `${head}24/11/2026,B/F,-,,"1,000.00"\n27/11/2026,NEFT,UTR1,,500.00\n`,
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'the net of debits and credits with a date',
    file: `${head}27/11/2026,NEFT,UTR1,,500.00\n27/11/2026,NACH,UTR2,200.00,\n28/11/2026,Net,,,300.00\n`,
    expected: ['500.00 UTR1', '-200.00 UTR2'],
  },
  {
    kind: 'another net of debits and credits with a date',
    file: `${head}27/11/2026,NEFT,UTR1,,500.00\n28/11/2026,Net,,,900.00\n`,
    expected: /line 3: the total is 900\.00, but the lines above are 0\.00 of debits and 500\.00 of credits/,
  },
  {
    kind: 'an opening balance in the column of the reference',
    file: 'Date,Reference,Amount\n24/11/2026,OB,"1,000.00"\n27/11/2026,UTR1,500.00\n',
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'a row Opening with a reference',
    file: `${head}24/11/2026,Opening,OPN1,,"1,000.00"\n27/11/2026,NEFT,UTR1,,500.00\n`,
    expected: /line 2 is named as a balance or a total, but has a date, a reference and an amount/,
  },
  {
    kind: 'a payment by net banking to the branch OB',
    file: 'Date,Reference,Mode,Branch,Amount\n27/11/2026,UTR1,NET,OB,500.00\n',
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'an opening balance with a reference',
    file: `${head}24/11/2026,Opening Balance,OPN1,,"1,000.00"\n27/11/2026,NEFT,UTR1,,500.00\n`,
    expected: /line 2 is named as a balance or a total, but has a date, a reference and an amount/,
  },
  {
    kind: 'a total with a date',
    file: `${head}27/11/2026,NEFT,UTR1,,500.00\n27/11/2026,Total,,0.00,500.00\n`,
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'a total with a date in one column of amounts',
    file: 'Date,Narration,Reference,Amount\n27/11/2026,NEFT,UTR1,500.00\n27/11/2026,Grand Total:,,500.00\n',
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'a total that lines are missing of',
    file: `${head}27/11/2026,NEFT,UTR1,,500.00\nTotal,,,0.00,900.00\n`,
    expected: /line 3: the total of the credits is 900\.00, but the lines above add up to 500\.00/,
  },
  {
    kind: 'a total below one column of amounts that lines are missing of',
    file: 'Date,Reference,Amount\n27/11/2026,UTR1,500.00\n,Total,700.00\n',
    expected: /line 3: the total is 700\.00, but the lines above are 0\.00 of debits and 500\.00 of credits/,
  },
  {
    kind: 'totals below one column of amounts that fit',
    file: `${beside('Type', 'Cr', 'Dr')},Page Total,"1,000.00"\n27/11/2026,UTR3,5.00,Cr\n,Page Total,5.00\n,Total Debits,500.00\n,Total Credits,505.00\n,Net Total,5.00\n`,
    expected: ['500.00 UTR1', '-500.00 UTR2', '5.00 UTR3'],
  },
  {
    kind: 'a total of debits below one column of amounts that is that of the credits',
    file: `${beside('Type', 'Cr')},Total Debits,500.00\n`,
    expected: /line 3: the total of the debits is 500\.00, but the lines above add up to 0\.00/,
  },
  {
    kind: 'a total below one column of amounts with the opening balance',
    file: 'Date,Reference,Amount\n,Opening Balance,"1,000.00"\n27/11/2026,UTR1,500.00\n,Total,"1,500.00"\n',
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'a total of each page',
    file: `${head}26/11/2026,NEFT,UTR1,,500.00\n,Page Total,,,500.00\n27/11/2026,NEFT,UTR2,,5.00\n,Page Total,,,5.00\n,Total,,,505.00\n`,
    expected: ['500.00 UTR1', '5.00 UTR2'],
  },
  {
    kind: 'an opening and a closing balance that lines are missing between',
    file: `${head},Opening Balance,,,"1,000.00"\n27/11/2026,NEFT,UTR1,,500.00\n,Closing Balance,,,"1,900.00"\n`,
    expected: /line 4: the balance is 1900\.00, but the lines before give 1500\.00/,
  },
  {
    kind: 'a summary that lines are missing of',
    file: `${withBalance}${first}Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal\n"1,000.00",1,1,"1,000.00","4,790.00","4,790.00"\n`,
    expected: /line 4: the total of the debits is 1000\.00, but the lines above add up to 0\.00/,
  },
  {
    kind: 'a summary that counts more lines',
    file: `${withBalance}${first}Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal\n"1,000.00",0,2,0.00,"4,790.00","5,790.00"\n`,
    expected: /line 4: the summary counts 2 credits, but the lines above are 1/,
  },
  {
    kind: 'a movement above the heading',
    file: `24/11/2026,NEFT,UTR0,,500.00\n${head}27/11/2026,NEFT,UTR1,,500.00\n`,
    expected: /line 1 is above the heading, but has a date and an amount/,
  },
  {
    kind: 'a description without an amount',
    file: `${head}27/11/2026,NEFT,UTR1,,500.00\n28/11/2026,NEFT from Asha,,,\n`,
    expected: /line 3 has a date but no amount/,
  },
]

/** Short names of an opening balance. */
const openings: Kind[] = ['Opening', 'OB', 'O/B', 'Opening as on 24/11/2026', 'प्रारंभिक शेष', 'आरम्भिक शेष:'].map(
  (name) => ({
    kind: `a row ${name} with a date in the column of credits`,
    file: `${head}24/11/2026,${name},,,"1,000.00"\n27/11/2026,NEFT,UTR1,,500.00\n,Closing Balance,,,"1,500.00"\n`,
    expected: ['500.00 UTR1'],
  }),
)

/** Short names of a closing balance. */
const closings: Kind[] = ['Closing', 'CB', 'अंतिम शेष'].map((name) => ({
  kind: `a row ${name} with a date that lines are missing before`,
  file: `${head}24/11/2026,OB,,,"1,000.00"\n27/11/2026,NEFT,UTR1,,500.00\n28/11/2026,${name},-,,"1,900.00"\n`,
  expected: /line 4: the balance is 1900\.00, but the lines before give 1500\.00/,
}))

/** Names of a row with a sum of the lines. */
const sums: Kind[] = ['Net', 'Net Movement', 'Statement Summary', 'Summary:', 'कुल योग'].flatMap((name) => [
  {
    kind: `a row ${name} with a date and the sum of the lines`,
    file: `Date,Narration,Reference,Amount\n27/11/2026,NEFT,UTR1,500.00\n27/11/2026,NACH,UTR2,-200.00\n28/11/2026,${name},,300.00\n`,
    expected: ['500.00 UTR1', '-200.00 UTR2'],
  },
  {
    kind: `a row ${name} with a date and another sum`,
    file: `Date,Narration,Reference,Amount\n27/11/2026,NEFT,UTR1,500.00\n28/11/2026,${name},,900.00\n`,
    expected: /line 3 is named as a balance or a total, but has an amount that is neither/,
  },
])

const hidden: Kind[] = [
  {
    kind: 'a credit without a reference whose remark is a balance',
    file: `${head}26/11/2026,NEFT,UTR1,,500.00\n27/11/2026,EMI Balance,,,700.00\n`,
    expected: /line 3 is named as a balance or a total, but has an amount that is neither/,
  },
  {
    kind: 'a credit without a reference whose remark is a total',
    file: 'Date,Narration,Reference,Amount\n26/11/2026,NEFT,UTR1,500.00\n27/11/2026,EMI Total,,700.00\n',
    expected: /line 3 is named as a balance or a total, but has an amount that is neither/,
  },
  {
    kind: 'a quotation mark that is missing',
    file: 'Date,Reference,Narration,Amount\n26/11/2026,UTR1,"NEFT,500.00\n27/11/2026,UTR2,NEFT",5.00\n',
    expected: /line 3 contains another line: a quotation mark is missing/,
  },
  {
    kind: 'a description of two lines',
    file: 'Date,Reference,Narration,Amount\n26/11/2026,UTR1,"NEFT\nfrom Asha",500.00\n',
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'balances above the heading that lines are missing between',
    file: `Opening Balance,"1,000.00",,,\nClosing Balance: 1900.00,,,,\n${head}27/11/2026,NEFT,UTR1,,500.00\n`,
    expected: /line 2: the balance is 1900\.00, but the lines before give 1500\.00/,
  },
  {
    kind: 'balances above the heading that fit',
    file: `Opening Balance,"1,000.00",Closing Balance,"1,500.00",\n${head}27/11/2026,NEFT,UTR1,,500.00\n`,
    expected: ['500.00 UTR1'],
  },
]

const balances: Kind[] = [
  {
    kind: 'a running balance, the oldest line first',
    file: withBalance + first + second + third,
    expected: all,
  },
  {
    kind: 'a running balance, the newest line first',
    file: withBalance + third + second + first,
    expected: all.toReversed(),
  },
  {
    kind: 'a running balance of one day, the newest line first',
    file: (withBalance + third + second + first).replaceAll(/2[56]\/11/g, '27/11'),
    expected: all.toReversed(),
  },
  {
    kind: 'a running balance, the newest day first with its lines in order',
    file: (withBalance + third + first + second).replaceAll('26/11', '25/11'),
    expected: ['500.00 UTR3', '4790.00 UTR1', '-1000.00 UTR2'],
  },
  {
    kind: 'a missing line, the oldest first',
    file: withBalance + first + third,
    expected:
      /line 3: the balance is 5290\.00, but the lines before give 6290\.00: a line is missing, altered or there twice/,
  },
  {
    kind: 'a missing line, the newest first',
    file: withBalance + third + first,
    expected: /line 2: the balance is 5290\.00, but the lines before give 6290\.00/,
  },
  {
    kind: 'an altered amount',
    file: withBalance + first + second.replace('1,000.00', '100.00') + third,
    expected: /line 3: the balance is 4790\.00, but the lines before give 5690\.00/,
  },
  {
    kind: 'an altered side',
    file: withBalance + first + second + third.replace(',,500.00', ',500.00,'),
    expected: /line 4: the balance is 5290\.00, but the lines before give 4290\.00/,
  },
  {
    kind: 'a line that is there twice',
    file: withBalance + first + second + second + third,
    expected: /line 4: the balance is 4790\.00, but the lines before give 3790\.00/,
  },
  {
    kind: 'two lines that changed places',
    file: withBalance + first + third + second,
    expected: /line 2: the balance is 5790\.00, but the lines before give 10080\.00/,
  },
  {
    kind: 'a balance at the end of each day only',
    file: withBalance + first.replace('"5,790.00"', '') + second.replace('26/11', '25/11') + third,
    expected: all,
  },
  {
    kind: 'a missing line between balances of days',
    file: withBalance + first + second.replace(',"4,790.00"', ',') + third.replace('5,290', '5,200'),
    expected: /line 4: the balance is 5200\.00, but the lines before give 5290\.00/,
  },
  {
    kind: 'an overdrawn account with Dr and Cr',
    file: 'Date,Reference,Debit,Credit,Balance\n26/11/2026,UTR1,,500.00,200.00 Dr\n27/11/2026,UTR2,,500.00,300.00 Cr\n',
    expected: ['500.00 UTR1', '500.00 UTR2'],
  },
  {
    kind: 'an opening balance that does not fit the first line',
    file: `${withBalance}24/11/2026,Opening Balance,,,,"1,100.00"\n${first}`,
    expected: /line 3: the balance is 5790\.00, but the lines before give 5890\.00/,
  },
  {
    kind: 'an opening balance above the newest line',
    file: `${withBalance}24/11/2026,Opening Balance,,,,"1,000.00"\n${third}${second}${first}`,
    expected: all.toReversed(),
  },
  {
    kind: 'a closing balance that does not fit the last line',
    file: `${withBalance}${first},Closing Balance,,,,"5,000.00"\n`,
    expected: /line 3: the balance is 5000\.00, but the lines before give 5790\.00/,
  },
  {
    kind: 'a balance that is no amount',
    file: withBalance + first.replace('"5,790.00"', 'five'),
    expected: /line 2, column Balance: "five" is not an amount/,
  },
  {
    kind: 'a balance without a date or a name',
    file: `${withBalance}${first},,,,,"9,000.00"\n${second}`,
    expected: /line 3 has a balance but no date/,
  },
]

const mt940 = (opening: string, movement: string, closing: string): string =>
  `:20:A\n:25:50200047110101\n:60F:C261126INR${opening}\n${movement}\n:62F:C261127INR${closing}\n`
const mt940Line = ':61:261127C500,00NTRFUTR1'

const xmlAmount = (value: string): string => `<Amt Ccy="INR">${value}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`
const xmlBalance = (code: string, value: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${xmlAmount(value)}</Bal>`
const xmlStatement = (content: string): string =>
  `<Stmt><Acct><Id><Othr><Id>50200047110101</Id></Othr></Id></Acct>${content}</Stmt>`
const xmlFile = (...statements: string[]): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${statements.join('')}</BkToCstmrStmt></Document>`
const xmlEntry = (status: string): string =>
  `<Ntry>${xmlAmount('500')}${status}<ValDt><Dt>2026-11-27</Dt></ValDt><AcctSvcrRef>UTR1</AcctSvcrRef></Ntry>`
const booked = xmlEntry('<Sts><Cd>BOOK</Cd></Sts>')
const camt = (entries: string, opening = xmlBalance('OPBD', '1000'), closing = xmlBalance('CLBD', '1500')): string =>
  xmlFile(xmlStatement(opening + closing + entries))

const standards: Kind[] = [
  {
    kind: 'a CAMT entry without a status',
    file: camt(booked + xmlEntry('')),
    expected: /line 1, column \d+: the entry has no status, not BOOK/,
  },
  {
    kind: 'a CAMT entry with an unknown status',
    file: camt(booked + xmlEntry('<Sts>DONE</Sts>')),
    expected: /the entry has the status "DONE", not BOOK/,
  },
  {
    kind: 'a pending CAMT entry',
    file: camt(booked + xmlEntry('<Sts><Cd>PDNG</Cd></Sts>')),
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'a CAMT statement without an opening balance',
    file: camt(booked, ''),
    expected: /line 1, column \d+: the statement has no opening balance/,
  },
  {
    kind: 'a CAMT statement without a closing balance',
    file: camt(booked, undefined, ''),
    expected: /line 1, column \d+: the statement has no closing balance/,
  },
  {
    kind: 'a CAMT amount with a comma',
    file: camt(booked.replace('>500<', '>0,500<')),
    expected: /line 1, column \d+: "0,500" is not an amount/,
  },
  {
    kind: 'a CAMT page between interim balances',
    file: camt(booked, xmlBalance('ITBD', '1000'), xmlBalance('ITBD', '1500')),
    expected: ['500.00 UTR1'],
  },
  {
    kind: 'CAMT statements of which one is missing between',
    file: xmlFile(
      xmlStatement(xmlBalance('OPBD', '1000') + xmlBalance('CLBD', '1500') + booked),
      xmlStatement(xmlBalance('OPBD', '1700') + xmlBalance('CLBD', '2200') + booked.replace('UTR1', 'UTR2')),
    ),
    expected: /the statement opens with 1700\.00, but the one before closes with 1500\.00: one between them is missing/,
  },
  {
    kind: 'an MT940 movement that is missing',
    file: mt940('1000,', mt940Line, '1700,'),
    expected: /line 5: the opening balance and the movements give 1500\.00, but the closing balance is 1700\.00/,
  },
  {
    kind: 'MT940 statements of which one is missing between',
    file: mt940('1000,', mt940Line, '1500,') + mt940('1700,', mt940Line.replace('UTR1', 'UTR2'), '2200,'),
    expected: /line 8: the statement opens with 1700\.00, but the one before closes with 1500\.00/,
  },
  {
    kind: 'MT940 statements, the newest first',
    file: mt940('1500,', mt940Line.replace('UTR1', 'UTR2'), '2000,') + mt940('1000,', mt940Line, '1500,'),
    expected: ['500.00 UTR2', '500.00 UTR1'],
  },
  {
    kind: 'an MT940 sum of other movements',
    file: `${mt940('1000,', mt940Line, '1500,')}:90C:2INR900,\n`,
    expected: /line 6: the sum :90C:2INR900, is not that of the movements/,
  },
  {
    kind: 'an MT940 statement with two closing balances',
    file: `${mt940('1000,', mt940Line, '1500,')}:62M:C261127INR1700,\n`,
    expected: /line 6: the statement has the field :62M: twice/,
  },
]

const xlsxText = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const xlsxHeading = `<row>${['Date', 'Reference', 'Amount'].map(xlsxText).join('')}</row>`
const xlsxRow = (reference: string): string =>
  `<row>${xlsxText('27/11/2026')}<c><v>${reference}</v></c><c><v>500</v></c></row>`

function workbookOf(...sheets: string[]): Buffer {
  const names = sheets.map((_, i) => `rId${i + 1}`)
  const parts: [name: string, xml: string][] = [
    [
      'xl/workbook.xml',
      `<workbook xmlns:r="r"><sheets>${names.map((name) => `<sheet name="${name}" r:id="${name}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${names.map((name) => `<Relationship Id="${name}" Target="worksheets/${name}.xml"/>`).join('')}</Relationships>`,
    ],
  ]
  for (const [i, sheet] of sheets.entries())
    parts.push([`xl/worksheets/${names[i]}.xml`, `<worksheet><sheetData>${sheet}</sheetData></worksheet>`])
  return Buffer.from(zipSync(Object.fromEntries(parts.map(([name, xml]) => [name, strToU8(xml)]))))
}

/** A workbook whose reference is a number: Excel keeps fifteen digits of it. */
const workbookWith = (reference: string): Buffer => workbookOf(xlsxHeading + xlsxRow(reference))

const workbooks: Kind[] = [
  {
    kind: 'lines on a second sheet without headings',
    file: workbookOf(xlsxHeading + xlsxRow('1234567'), xlsxRow('1234568')),
    expected: /line 1 of a sheet without headings has a date and an amount/,
  },
  {
    kind: 'a second sheet of words',
    file: workbookOf(xlsxHeading + xlsxRow('1234567'), `<row>${xlsxText('Legend')}</row>`),
    expected: ['500.00 1234567'],
  },
  {
    kind: 'a number of a workbook as a reference',
    file: workbookWith('634123456789'),
    expected: ['500.00 634123456789'],
  },
  {
    kind: 'a number of a workbook that lost its last digits',
    file: workbookWith('6.3412345678901197E+17'),
    expected: /line 2, column Reference: a spreadsheet has changed the reference into "6\.34/,
  },
  {
    kind: 'a number of a workbook with more digits than Excel keeps',
    file: workbookWith('634123456789012000'),
    expected: /line 2, column Reference: a spreadsheet has changed the reference/,
  },
]

const kinds = sides.concat(
  unknownSides,
  explained,
  cut,
  references,
  keptReferences,
  rows,
  openings,
  closings,
  sums,
  hidden,
  balances,
  standards,
  workbooks,
)

test('D3 §2.5: at least 76 kinds of ugly statements are in the list, each once', () => {
  assert.ok(kinds.length >= 76, String(kinds.length))
  assert.equal(new Set(kinds.map(({ kind }) => kind)).size, kinds.length)
})

for (const { kind, file, expected } of kinds)
  test(`D3 §2.5: reads or refuses ${kind}`, () => {
    const read = () => fileOf(Buffer.from(file), rules).lines.map((line) => `${rupees(line.paise)} ${line.reference}`)
    if (Array.isArray(expected)) {
      assert.deepEqual(read(), expected)
      return
    }
    assert.throws(read, (error) => {
      assert.ok(error instanceof Refusal, String(error))
      assert.equal(error.details.field, 'file')
      assert.match(error.message, expected)
      return true
    })
  })

test('D3 §2.5: the balances of a table are those of its account, so that a missing statement is noticed', () => {
  const file = `Account Number: 50200047110101,,,,,\n${withBalance}${first}${second}${third}`
  assert.deepEqual(fileOf(Buffer.from(file), rules).balances, {
    account: '50200047110101',
    openingPaise: 1_000_00n,
    closingPaise: 5_290_00n,
  })
  assert.equal(fileOf(Buffer.from(withBalance + first + second), rules).balances, null, 'without an account')
})
