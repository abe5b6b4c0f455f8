// Bank statements in XLSX, MT940 and CAMT.053, exports of the large banks, and hostile files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { rupees } from '@lendloom/lending/money'
import { strToU8, zipSync } from 'fflate'
import { fileOf, parseStatement } from './parse-statement.ts'

const rules = { today: '2026-12-09', accounts: ['50200047110101'] }
const read = (file: string | Buffer, ours = rules) => fileOf(Buffer.from(file), ours).lines
const shortLines = (file: string | Buffer) =>
  read(file).map(({ line, valueOn, paise, reference }) => ({ line, valueOn, amount: rupees(paise), reference }))
const refuses = (file: string | Buffer, message: RegExp, ours = rules) =>
  assert.throws(
    () => read(file, ours),
    (error) => {
      assert.ok(error instanceof Refusal, String(error))
      assert.equal(error.details.field, 'file')
      assert.match(error.message, message)
      return true
    },
  )

interface WorkbookParts {
  sheet: string
  strings?: string[]
  more?: Record<string, string>
}

const head = '<?xml version="1.0" encoding="UTF-8"?>'
function workbook({ sheet, strings = [], more = {} }: WorkbookParts): Buffer {
  const files = {
    'xl/workbook.xml': `${head}<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\-mmm\\-yy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst>${strings.map((each) => `<si><t>${each}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))))
}

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const headingRow = `<row r="1">${['Date', 'Reference', 'Debit', 'Credit'].map(inline).join('')}</row>`

test('D3 §2.5: reads a workbook: dates as numbers, shared texts, calculated amounts and empty rows', () => {
  const sheet = `<row r="3">${['Date', 'Narration', 'Ref No', 'Withdrawal Amt.', 'Deposit Amt.'].map(inline).join('')}</row>
<row r="5"><c r="A5" s="1"><v>46353</v></c><c r="B5" t="s"><v>0</v></c><c r="C5"><v>433212345678</v></c><c r="E5"><f>1+1</f><v>97640.130000000005</v></c></row>
<row r="6"><c r="A6" s="1"><v>46354.75</v></c><c r="C6" t="str"><v>NACH7</v></c><c r="D6" t="s"><v>1</v></c></row>
<row r="7"><c r="A7" t="s"><v>2</v></c></row>`
  const file = workbook({ sheet, strings: ['NEFT &amp; <![CDATA[<Asha>]]>', '1,00,000.00', 'Total'] })
  assert.deepEqual(shortLines(file), [
    { line: 5, valueOn: '2026-11-27', amount: '97640.13', reference: '433212345678' },
    { line: 6, valueOn: '2026-11-28', amount: '-100000.00', reference: 'NACH7' },
  ])
  assert.equal(read(file)[0]?.description, 'NEFT & <Asha>')
})

test('D3 §2.5: an empty cell without a reference keeps the place of those after it', () => {
  const rowOf = (texts: string[]) => `<row>${texts.map((text) => (text ? inline(text) : '<c/>')).join('')}</row>`
  const sheet =
    rowOf(['Date', 'Narration', 'Ref No', 'Debit', 'Credit', 'Balance']) +
    rowOf(['27/11/2026', 'NEFT', 'UTR0001', '', '500.00', '500.00'])
  assert.deepEqual(shortLines(workbook({ sheet })), [
    { line: 2, valueOn: '2026-11-27', amount: '500.00', reference: 'UTR0001' },
  ])
})

test('D3 §2.5: refuses a workbook that is damaged, hostile or too large, before inflating it', async () => {
  const row = `<row r="2"><c r="A2" s="1"><v>46353</v></c>${inline('A')}${inline('5')}</row>`
  const good = workbook({ sheet: headingRow + row })
  assert.equal(read(good).length, 1)
  refuses(good.subarray(0, good.length - 30), /archive is damaged/)
  refuses(Buffer.concat([good.subarray(0, 600), Buffer.alloc(300)]), /archive is damaged/)
  const changed = Buffer.from(good)
  changed.writeUInt32LE(7, changed.indexOf('PK\x01\x02', undefined, 'latin1') + 16)
  refuses(changed, /archive is damaged/)
  const lying = Buffer.from(good)
  lying.writeUInt32LE(9, lying.indexOf('PK\x01\x02', undefined, 'latin1') + 24)
  refuses(lying, /archive is damaged/)
  refuses(workbook({ sheet: headingRow, more: { 'xl/sharedStrings.xml': 'x'.repeat(60 << 20) } }), /more than 48 MB/)
  const entity = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>'
  refuses(workbook({ sheet: headingRow, more: { 'xl/sharedStrings.xml': entity } }), /document type/)
  refuses(workbook({ sheet: '<a>'.repeat(100) }), /more than 32 levels/)
  refuses(
    workbook({ sheet: `${headingRow}<row r="2"><c r="XFD2"><v>1</v></c></row>` }),
    /row 2 has more than 64 columns/,
  )
  for (const number of ['1', '2.5', '1048577', 'x'])
    refuses(workbook({ sheet: `${headingRow}<row r="${number}"/>` }), /row [\dx.]+ is out of sequence/)
  refuses(workbook({ sheet: headingRow + '<row/>'.repeat(200_000) }), /more than 100030 lines/)
  refuses(workbook({ sheet: headingRow + row.replace('<c r="A2"', '<c r="A2" t="e"') }), /line 2, column Date/)
  refuses(workbook({ sheet: '' }), /must contain the columns/)
  refuses(Buffer.from(zipSync({ a: strToU8('b') })), /not a workbook/)
  refuses(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), /old or protected Excel file/)
  refuses('<html><table></table></html>', /web page/)
  refuses('%PDF-1.7\n', /it is a PDF: get it from the bank as CSV/)
  const rows = Array.from({ length: 50_000 }, (_, i) => row.replaceAll('2"', `${i + 2}"`))
  assert.equal((await parseStatement(workbook({ sheet: headingRow + rows.join('') }), rules)).lines.length, 50_000)
})

const mt940 = `{1:F01HDFCINBBAXXX0000000000}{2:O9400000}{4:
:20:STMT261127
:25:HDFCINBB/50200047110101
:28C:331/1
:60F:C261126INR1000,00
:61:2611271127C4790,00NTRFNACH7//BANK7
SUPPLEMENT
:86:ACH CR ASHA
 SECOND LINE
:61:261127D500,5NCHGNONREF
:61:261127RC90,NTRFUTR3
:61:261127RDR10,NTRFUTR4
:62F:C261127INR5209,50
:64:C261127INR5209,50
:86:OF THE STATEMENT
-}
`

test('D3 §2.5: reads MT940 with reversals, and compares the balances, the currency and the account', () => {
  assert.deepEqual(shortLines(mt940), [
    { line: 6, valueOn: '2026-11-27', amount: '4790.00', reference: 'NACH7' },
    { line: 10, valueOn: '2026-11-27', amount: '-500.50', reference: 'line 10' },
    { line: 11, valueOn: '2026-11-27', amount: '-90.00', reference: 'UTR3' },
    { line: 12, valueOn: '2026-11-27', amount: '10.00', reference: 'UTR4' },
  ])
  assert.equal(read(mt940)[0]?.description, 'BANK7 SUPPLEMENT ACH CR ASHA  SECOND LINE')
  assert.equal(read(mt940.replaceAll('\n', '\r\n')).length, 4)
  const copy = mt940.replace('STMT', 'COPY')
  const next = mt940
    .replaceAll('261127', '261128')
    .replaceAll('5209,50', '9419,00')
    .replace('C261126INR1000,00', 'C261127INR5209,50')
  assert.equal(read(mt940 + next).length, 8)
  refuses(mt940 + next + copy, /line 34: the statement of line 2 is in the file twice/)
  const changed = (from: string, to: string, why: RegExp) => refuses(mt940.replace(from, to), why)
  changed('4790,00', '4790,01', /line 13: the opening balance and the movements give 5209\.51, .* is 5209\.50/)
  changed('C261126INR', 'C261126USD', /line 5: the currency is "USD"/)
  changed('50200047110101', '50200047110102', /line 3: the account 50200047110102 is not the lender's/)
  changed(':62F:', ':99F:', /line 13: the field :99F: is unknown/)
  changed(mt940.slice(mt940.indexOf(':62F:')), '', /line 2: the statement has no field :62F:/)
  changed('2611271127C', '2613271127C', /line 6, column 5: "261327" is not a date/)
  changed(':61:261127D500,5', ':61:261127X500,5', /line 10: the movement .* is not readable/)
  changed('261127D500,5', '261210D500,5', /line 10, column 5: 2026-12-10 is after today/)
  refuses(':20:A\n:25:1', /no field :60F:/, { ...rules, accounts: [] })
  assert.equal(read(mt940.replace('50200047110101', 'XXXXXX0101')).length, 4, 'a masked account')
  for (const account of ['50200 047110 101', '50200047110101\0', '\u202e50200047110101']) {
    const file = Buffer.from(mt940.replace('50200047110101', account))
    assert.equal(fileOf(file, rules).balances?.account, '50200047110101', 'the same account')
  }
  assert.equal(read(mt940.replace('50200047110101', '1'), { ...rules, accounts: [] }).length, 4)
  refuses(`:20:A\n${':61:261127C1,NTRFA\n'.repeat(200_000)}`, /no field :25:/)
})

const amount = (value: string, side = 'CRDT') => `<Amt Ccy="INR">${value}</Amt><CdtDbtInd>${side}</CdtDbtInd>`
const balance = (code: string, value: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value)}</Bal>`
const camt = (entries: string, version = '02', closing = '5790.00') => `<?xml version="1.0" encoding="UTF-8"?>
<d:Document xmlns:d="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><Stmt>
<Acct><Id><Othr><Id>50200047110101</Id></Othr></Id><Ccy>INR</Ccy></Acct>
${balance('OPBD', '1000')}${balance('CLBD', closing)}
${entries}
</Stmt></BkToCstmrStmt></d:Document>`
const entry = `<Ntry>${amount('4790.00000')}<RvslInd>true</RvslInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-28</Dt></BookgDt><ValDt><Dt>2026-11-27</Dt></ValDt><AcctSvcrRef>BANK7</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><TxId>NACH7</TxId></Refs><RmtInf><Ustrd>Loan</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
const part = (value: string, name: string) => `<TxDtls><Refs><EndToEndId>${name}</EndToEndId></Refs>${value}</TxDtls>`
const batch = (...parts: string[]) =>
  `<Ntry>${amount('4790')}<Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-11-27T23:30:00+05:30</DtTm></BookgDt><NtryDtls>${parts.join('')}</NtryDtls></Ntry>`

test('D3 §2.5: reads CAMT.053 in two versions: single entries, batches, only what is booked', () => {
  const pending = entry.replace('BOOK', 'PDNG')
  assert.deepEqual(shortLines(camt(entry + pending)), [
    { line: 1, valueOn: '2026-11-27', amount: '4790.00', reference: 'NACH7' },
  ])
  assert.equal(read(camt(entry))[0]?.description, 'Reversal Loan BANK7'.replace(' BANK7', ' NOTPROVIDED BANK7'))
  const days = camt(entry).replace('</Cd></CdOrPrtry></Tp>', '$&<Dt><Dt>2026-11-27</Dt></Dt>')
  const { balances } = fileOf(Buffer.from(days), rules)
  assert.deepEqual(balances, { account: '50200047110101', openingPaise: 1_000_00n, closingPaise: 5_790_00n })
  const parts = [part(amount('5000'), 'A'), part(amount('210', 'DBIT'), 'B')]
  assert.deepEqual(shortLines(camt(batch(...parts), '08')), [
    { line: 1, valueOn: '2026-11-27', amount: '5000.00', reference: 'A' },
    { line: 2, valueOn: '2026-11-27', amount: '-210.00', reference: 'B' },
  ])
  const inDetails = (value: string) => `<AmtDtls><TxAmt><Amt Ccy="INR">${value}</Amt></TxAmt></AmtDtls>`
  assert.equal(read(camt(batch(part(inDetails('4789'), 'A'), part(inDetails('1'), 'B')))).length, 2)
})

test('D3 §2.5: refuses CAMT.053 that does not add up, names another account or has a document type', async () => {
  refuses(camt(entry, '02', '5790.01'), /line 2, column \d+: the opening balance .* 5790\.00, .* 5790\.01/)
  refuses(camt(batch(part(amount('1'), 'A'), part(amount('2'), 'B'))), /add up to 3\.00, but the entry has 4790\.00/)
  refuses(camt(batch(part('', 'A'), part(amount('2'), 'B'))), /a transaction of a batch has no amount/)
  refuses(camt(entry.replace('"INR"', '"USD"')), /line 5, column \d+: the currency is "USD"/)
  refuses(camt(entry).replace('50200047110101', '60200047110101'), /line 3, .* is not the lender's account/)
  refuses(camt(entry.replace('CRDT', 'C')), /neither CRDT nor DBIT/)
  refuses(camt(entry.replaceAll(/<(\w+)><Dt>[-\d]+<\/Dt><\/\1>/g, '')), /has no valid date/)
  refuses(camt(entry, '99'), /not a statement in CAMT\.053, version 02 to 08/)
  refuses(camt(entry).slice(0, -30), /not valid XML/)
  refuses(camt(entry).replace('UTF-8', 'ISO-8859-1'), /encoding is ISO-8859-1/)
  refuses(Buffer.concat([Buffer.from(camt('')), Buffer.from([0xff])]), /not UTF-8/)
  const laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
  for (const type of [laughs, '<!DOCTYPE a SYSTEM "file:///etc/passwd">'])
    refuses(camt(entry).replace('?>\n', `?>\n${type}`), /line 2, column \d+: it has a document type/)
  refuses(camt(entry.replace('Loan', '&loan;')), /not valid XML: Invalid character entity/)
  refuses(camt('<a>'.repeat(100)), /more than 32 levels/)
  const hostile = [camt('<a/>'.repeat(1_000_000)), camt(`<a ${'x'.repeat(4 << 20)}="1"/>`), `<${'a'.repeat(8 << 20)}`]
  for (const file of hostile) await assert.rejects(parseStatement(Buffer.from(file), rules), Refusal)
})

test('D3 §2.5: reads the exports of SBI, HDFC, ICICI, Axis and Kotak', () => {
  const exports: { file: string; lines: { valueOn: string; amount: string; reference: string }[] }[] = [
    {
      file: 'Account Number\t:\t_00000050200047110101\nTxn Date\tValue Date\tDescription\tRef No./Cheque No.\tDebit\tCredit\tBalance\n27 Nov 2026\t27 Nov 2026\tBY TRANSFER\tUTR1\t\t4,790.00\t1,04,790.00\n1 Dec 2026\t1 Dec 2026\tCHARGE\t\t11.80\t\t1,04,778.20\n',
      lines: [
        { valueOn: '2026-11-27', amount: '4790.00', reference: 'UTR1' },
        { valueOn: '2026-12-01', amount: '-11.80', reference: 'line 4' },
      ],
    },
    {
      file: 'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance\n28/11/26,NEFT,0000433212345678,27/11/26,,"1,00,000.00",5\n',
      lines: [{ valueOn: '2026-11-27', amount: '100000.00', reference: '0000433212345678' }],
    },
    {
      file: 'S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount (INR),Deposit Amount (INR),Balance (INR)\n1,27/11/2026,27/11/2026,-,NEFT-UTR7-ASHA,0.00,4790.00,5\n',
      lines: [{ valueOn: '2026-11-27', amount: '4790.00', reference: 'line 2' }],
    },
    {
      file: 'Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL\n27-11-2026,-,NEFT/UTR8,500.00,,5,12\n',
      lines: [{ valueOn: '2026-11-27', amount: '-500.00', reference: 'line 2' }],
    },
    {
      file: 'Sl. No.,Transaction Date,Value Date,Description,Chq / Ref No.,Amount,Dr / Cr,Balance,Dr / Cr\n1,27-11-2026 10:22 AM,27-11-2026,NACH,NACH9,"4,790.00",CR,15,CR\n2,27-11-2026,27-11-2026,NACH,NACH8,10.00,DR,5,CR\n',
      lines: [
        { valueOn: '2026-11-27', amount: '4790.00', reference: 'NACH9' },
        { valueOn: '2026-11-27', amount: '-10.00', reference: 'NACH8' },
      ],
    },
    {
      file: 'Date,Narration,Value Dat,Debit Amount,Credit Amount,Chq/Ref Number,Closing Balance\n28/11/26,NEFT,27/11/26,0.00,500.00,0000433212345678,500.00\n',
      lines: [{ valueOn: '2026-11-27', amount: '500.00', reference: '0000433212345678' }],
    },
    {
      file: 'Transaction Date (dd/mm/yyyy),Value Date (dd/mm/yyyy),Particulars,CHQNO,DR,CR,BAL,Branch Name(SOL)\n28/11/2026,27/11/2026,NEFT,UTR8,,500.00,500.00,MUMBAI (12)\n',
      lines: [{ valueOn: '2026-11-27', amount: '500.00', reference: 'UTR8' }],
    },
    {
      file: 'Date,Details,Ref No/Cheque No,Debit,Credit,Balance\n27/11/2026,NEFT,UTR9,,500.00,"57,669.58CR"\nStatement Summary :,,,,,\nBrought Forward (₹),Dr Count,Cr Count,Total Debits (₹),Total Credits (₹),Closing Balance (₹)\n"57,169.58CR",0,1,0.00,500.00,"57,669.58CR"\n',
      lines: [{ valueOn: '2026-11-27', amount: '500.00', reference: 'UTR9' }],
    },
  ]
  for (const { file, lines } of exports)
    assert.deepEqual(
      shortLines(file).map(({ valueOn, amount, reference }) => ({ valueOn, amount, reference })),
      lines,
    )
  refuses(exports[0]!.file.replace('0101', '0102'), /line 1: the account .*0102 is not the lender's account/)
})

test('D3 §2.5: refuses an amount with an unclear sign or grouping, by line and column', () => {
  const signed = (cell: string, side = '') => `date,reference,amount,Dr/Cr\n27/11/26,A,"${cell}",${side}\n`
  for (const [cell, side, paise] of [
    ['(500.00)', 'Dr', -500_00n],
    ['500.00-', 'D', -500_00n],
    ['₹ 1,00,000', 'cr', 100_000_00n],
    ['Rs. 5 (Cr)', 'C', 5_00n],
    ['INR 5', 'Debit', -5_00n],
  ] as const)
    assert.equal(read(signed(cell, side))[0]?.paise, paise, cell)
  for (const cell of ['1,5', '10,00', '1,,000', '(500', '500)', '--5', '-5-', '5.001', '1e3', '५'])
    refuses(signed(cell, 'Cr'), /line 2, column amount: ".*" is not an amount/)
  refuses(signed('5', 'x'), /line 2, column Dr\/Cr: "x" is neither Cr nor Dr/)
  for (const [cell, side] of [
    ['5 Cr', 'Dr'],
    ['-5', 'Cr'],
    ['(5) Cr', ''],
  ] as const)
    refuses(signed(cell, side), /line 2, column amount/)
  const columns = (debit: string, credit: string) => `date,reference,debit,credit\n27/11/26,A,${debit},${credit}\n`
  assert.equal(read(columns('5 Dr', '0.00'))[0]?.paise, -5_00n)
  refuses(columns('-5', ''), /line 2, column debit: a debit has no sign/)
  refuses(columns('', '5 Dr'), /line 2, column credit: a credit has no sign/)
  refuses(columns('5', '6'), /line 2 has a debit and a credit/)
})

test('D3 §2.5: reads the character sets of spreadsheets exactly, and refuses a reference that cannot be stored', () => {
  const csv = 'Date,Reference,Narration,Amount\n27/11/2026,Ré1,Asha – 5 ₹,5\n'
  const textsOf = (file: Buffer) => read(file).map(({ reference, description }) => ({ reference, description }))
  for (const file of [Buffer.from(csv), Buffer.from(`\ufeff${csv}`, 'utf16le')])
    assert.deepEqual(textsOf(file), [{ reference: 'Ré1', description: 'Asha – 5 ₹' }])
  assert.deepEqual(textsOf(Buffer.from(`\ufeff${csv}`, 'utf16le').swap16()), [
    { reference: 'Ré1', description: 'Asha – 5 ₹' },
  ])
  const windows = Buffer.from(csv.replace(' ₹', '').replace('–', '\x96'), 'latin1')
  assert.deepEqual(textsOf(windows), [{ reference: 'Ré1', description: 'Asha – 5' }])
  refuses(csv.replace('Ré1', 'R\0'), /line 2: the reference contains NUL/)
  refuses(mt940.replace('NACH7', 'NACH\0'), /line 6: the reference contains NUL/)
  assert.equal(read(csv.replace('Ré1', 'R'.repeat(200)))[0]?.reference.length, 200)
  refuses(csv.replace('Ré1', 'R'.repeat(201)), /line 2: the reference has more than 200 characters/)
  refuses(csv.replace('27/11/2026', '27/11/0001'), /line 2, column Date: 0001-11-27 is before 2000-01-01/)
  refuses(csv.replace(',5\n', `,${'9'.repeat(1 << 20)}\n`), /^.{1,400}$/)
})

test('D3 §2.5: a line with a date and a reference but no amount is refused, and a balance is left out', () => {
  const table = (...lines: string[]) =>
    ['Date,Narration,Ref No,Withdrawal (INR ),Deposit (INR ),Balance', ...lines].join('\n')
  const movement = '04/12/2026,NEFT IN,SBXB1,,500.00,1500.00'
  assert.equal(read(table('03/12/2026,B/F,,,,1000.00', movement)).length, 1)
  for (const cut of ['05/12/2026,NEFT IN,SBXB2', '05/12/2026,NEFT IN,SBXB2,,,', '05/12/2026'])
    for (const lines of [
      [movement, cut],
      [cut, movement],
    ])
      refuses(table(...lines), new RegExp(`line ${lines.indexOf(cut) + 2} has a date but no amount`))
  assert.equal(read(table(movement, '05/12/2026,CHARGES,SBXB2,0.00,0.00,1500.00')).length, 1)
})

test('D3 §2.5: reads the headings of more banks, and names the columns that it cannot find', () => {
  const line = (heading: string) => `${heading}\n25/12/2026,NEFT_IN,SBXB1,,500.00,1500.00`
  for (const heading of [
    'Date,Transaction Remarks,Cheque Number,Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR )',
    'Txn Date,Description,Cheque No.,Dr Amount,Cr Amount,Balance',
    'TRAN DATE,NARRATION,CHQ.NO.,WITHDRAWAL (DR),DEPOSIT (CR),BALANCE',
  ])
    assert.deepEqual(shortLines(line(heading).replaceAll('25/12', '05/12')), [
      { line: 2, valueOn: '2026-12-05', amount: '500.00', reference: 'SBXB1' },
    ])
  refuses('"Day","What","Sum"\n"S1","25-12-2026","NEFT_IN"', /must contain the columns date, reference, and amount/)
})
