// Parsing portfolios in every known format; unreadable parts are reported, and statements round-trip.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { type Holding, kinds, navText, registrars, unitsText } from './portfolio.ts'
import { statementOf } from './portfolio-statement.ts'
import { type NotUnderstood, readPortfolio } from './read-portfolio.ts'

const flexi: Holding = {
  registrar: 'CAMS',
  amcCode: 'SHK',
  amcName: 'Shakti Mutual Fund',
  schemeCode: 'FLEXG',
  schemeName: 'Shakti Flexi Cap Fund - Growth',
  isin: 'INF000A01011',
  folio: '4410077/31',
  kind: 'equity',
  units: '312.450',
  lienUnits: '0.000',
  lockedUnits: '0.000',
  lockedUntil: null,
  nav: '85.0250',
  navOn: '2026-11-18',
}

/** Holdings as MF Central lists them, with names and addresses that must be dropped. */
const central = {
  amc: 'SHK',
  amcName: 'Shakti Mutual Fund',
  folio: '4410077 / 31',
  investorName: 'ASHA RAO',
  email: 'asha@mail.example',
  schemeCode: 'FLEXG',
  schemeName: 'Shakti Flexi Cap Fund - Growth',
  schemeOption: 'GROWTH',
  assetType: 'EQUITY',
  schemeType: 'OPEN ENDED',
  nav: '85.025',
  navDate: '18-Nov-2026',
  closingBalance: '312.45',
  availableUnits: '312.450',
  lienEligibleUnits: null,
  lienUnitsFlag: 'N',
  isDemat: 'N',
  decimalUnits: 3,
  isin: 'INF000A01011',
  rtaName: 'CAMS',
  currentMktValue: '26566.06',
}
const read = (input: unknown) => {
  const { holdings, notUnderstood } = readPortfolio(input)
  assert.deepEqual(notUnderstood, [])
  return holdings
}

test('D1 §4: reads the portfolio of MF Central, with fund house summaries beside the schemes', () => {
  const summary = [{ amc: 'SHK', amcName: 'Shakti Mutual Fund', isDemat: 'N', currentMktValue: '26566.06' }]
  const statement = { reqId: 7, pan: 'abcpe1234f', data: [{ summary, schemes: [central] }] }
  assert.deepEqual(readPortfolio(statement), { pan: 'ABCPE1234F', holdings: [flexi], notUnderstood: [] })
  assert.deepEqual(read(JSON.stringify(statement)), [flexi], 'a statement passed as JSON text')
})

test('D1 §4: reads the summary of an MF Central account statement, without its transactions', () => {
  const row = { ...central, schemeCode: undefined, scheme: 'FLEXG', rtaName: undefined, rtaCode: 'CAMS' }
  const trade = { ...row, trxnDate: '01-NOV-2026', trxnUnits: '100', units: '100' }
  for (const name of ['dtSummary', 'dtTrxnSummary', 'summary'])
    assert.deepEqual(read({ data: [{ [name]: [row], dtTransaction: [trade] }] }), [flexi], name)
  assert.deepEqual(read({ rows: [trade, row] }), [flexi])
})

test('D1 §4: reads snake case, numeric values and nested groups', () => {
  const snake = {
    rta: 'CAMS',
    amc_code: 'SHK',
    amc_name: 'Shakti Mutual Fund',
    folio_no: '4410077/31',
    schemes: [
      {
        scheme_code: 'FLEXG',
        scheme_name: 'Shakti Flexi Cap Fund - Growth',
        isin: 'INF000A01011',
        asset_type: 'Equity',
        balance_units: 312.45,
        nav: { value: 85.025, date: '2026-11-18' },
      },
    ],
  }
  assert.deepEqual(read({ folios: [snake] }), [flexi])
  const { schemes, folio_no, ...outer } = snake
  const { balance_units, ...scheme } = schemes[0]!
  assert.deepEqual(read([{ ...outer, ...scheme, folios: [{ folio_no, units: balance_units }] }]), [flexi])
})

test('D1 §4: reads a statement from a PDF, and the summary of an account aggregator', () => {
  const pdf = {
    folios: [
      {
        folio: '4410077/31',
        amc: 'Shakti Mutual Fund',
        PAN: 'ABCPE1234F',
        schemes: [
          {
            scheme: 'Shakti Flexi Cap Fund - Growth',
            isin: 'INF000A01011',
            rta: 'CAMS',
            rta_code: 'SHKFG',
            type: 'EQUITY',
            close: 312.45,
            valuation: { date: '2026-11-18', nav: 85.025, value: 26566.06 },
            transactions: [{ date: '2020-01-01', units: 312.45, nav: 40 }],
          },
        ],
      },
    ],
  }
  assert.deepEqual(read(pdf), [{ ...flexi, amcCode: 'Shakti Mutual Fund', amcName: null, schemeCode: 'INF000A01011' }])
  const aggregator = {
    summary: {
      investment: {
        holdings: {
          holding: [
            {
              amc: 'SHK',
              registrar: 'KFINTECH',
              schemeCode: '77',
              schemeCategory: 'DEBT_SCHEME',
              isin: 'INF000A01029',
              isinDescription: 'Shakti Short Term Fund',
              folioNo: '499123456781',
              closingUnits: '1020.125',
              lienUnits: '20',
              lockinUnits: '0.125',
              nav: '40.1234',
              navDate: '2026-11-18T00:00:00+05:30',
            },
          ],
        },
      },
    },
  }
  const [short] = read(aggregator)
  assert.equal(short!.registrar, 'KFIN')
  assert.equal(short!.kind, 'debt')
  assert.equal(short!.units, '1020.125')
  assert.equal(short!.lienUnits, '20.000')
  assert.equal(short!.lockedUnits, '0.125')
  assert.equal(short!.navOn, '2026-11-18')
  assert.equal(short!.folio, '499123456781')
})

test('FIS12 §10.1: units that a statement marks as unavailable are not pledgeable', () => {
  const unitCounts = (row: object) => {
    const [holding] = read([{ ...central, availableUnits: null, ...row }])
    return { units: holding!.units, lien: holding!.lienUnits, locked: holding!.lockedUnits }
  }
  assert.deepEqual(unitCounts({ lienEligibleUnits: '200' }), { units: '312.450', lien: '0.000', locked: '112.450' })
  assert.deepEqual(unitCounts({ lienEligibleUnits: '200', lienUnits: '100' }), {
    units: '312.450',
    lien: '100.000',
    locked: '12.450',
  })
  assert.deepEqual(unitCounts({ availableUnits: 5, closingBalance: '', lien_units: '2' }), {
    units: '7.000',
    lien: '2.000',
    locked: '0.000',
  })
  assert.deepEqual(unitCounts({ pledged_units: '400' }), { units: '312.450', lien: '400.000', locked: '0.000' })
  assert.deepEqual(unitCounts({ closingBalance: 299.99999999999994 }), {
    units: '300.000',
    lien: '0.000',
    locked: '0.000',
  })
})

test('D1 §4: unreadable parts are reported by path, and the rest is used', () => {
  const other = { ...central, folio: '9', isin: null }
  const cases: [row: object, why: string][] = [
    [{ folio: null }, 'folio'],
    [{ folio: 2 ** 60 }, 'folio'],
    [{ schemeCode: '', schemeName: null }, 'scheme'],
    [{ amc: null, amcName: null }, 'amc'],
    [{ rtaName: 'NSDL' }, 'registrar'],
    [{ closingBalance: 'many' }, 'units'],
    [{ closingBalance: '-1' }, 'units'],
    [{ closingBalance: Number.NaN }, 'units'],
    [{ availableUnits: 'some' }, 'units'],
    [{ nav: null }, 'nav'],
    [{ nav: '0.0000' }, 'nav'],
    [{ lienUnits: 'some' }, 'lien'],
    [{ lienUnitsFlag: 'Y', availableUnits: null }, 'lien'],
    [{ lockedUnits: '1e3' }, 'locked'],
    [{ lockInUntil: 'soon' }, 'locked'],
    [{ isDemat: 'Y' }, 'demat'],
    [{ pan: 'ZZZPE1234F' }, 'other-pan'],
    [{ folio: '4410077/31', isin: 'INF000A01011', closingBalance: '7', availableUnits: '7' }, 'twice'],
  ]
  for (const [row, why] of cases) {
    const statement = { pan: 'ABCPE1234F', schemes: [central, { ...other, ...row }] }
    const { holdings, notUnderstood } = readPortfolio(statement)
    assert.deepEqual(notUnderstood, [{ path: 'schemes.1', why }], JSON.stringify(row))
    assert.deepEqual(holdings, [flexi])
  }
  assert.deepEqual(readPortfolio({ pan: 'ABCPE1234F' }).notUnderstood, [{ path: '', why: 'nothing' }])
  const many = Array.from({ length: 501 }, (_, i) => ({ ...central, folio: `${i}` }))
  assert.deepEqual(readPortfolio({ many }).notUnderstood, [{ path: 'many.500', why: 'too-many' }])
  const deep = JSON.parse('{"a":'.repeat(40) + JSON.stringify(central) + '}'.repeat(40))
  assert.deepEqual(
    readPortfolio(deep).notUnderstood.map(({ why }) => why),
    ['too-deep'],
  )
})

test('D1 §4: a holding inherits nothing from its siblings, and a duplicate counts once', () => {
  const { rtaName, ...withoutRegistrar } = { ...central, folio: '9' }
  assert.deepEqual(readPortfolio({ a: central, b: withoutRegistrar }).notUnderstood, [{ path: 'b', why: 'registrar' }])
  assert.deepEqual(read({ summary: [central], schemes: [central] }), [flexi])
  const withOuterFields = { registrar: 'KFINTECH', folio: '9', amc: 'NDH', schemes: [central] }
  assert.deepEqual(read(withOuterFields), [flexi], 'an inner field overrides an outer one, under any name')
})

test('a fund’s name may mark it as ELSS but never determines another kind', () => {
  const kindOf = (assetType: string | null, schemeName: string) =>
    read([{ ...central, assetType, schemeName }])[0]!.kind
  assert.equal(kindOf('EQUITY', 'Nidhi ELSS Tax Saver'), 'elss')
  assert.equal(kindOf(null, 'Nidhi Liquid Fund'), null)
  assert.equal(kindOf('Liquid', 'Nidhi'), 'debt')
  assert.equal(kindOf('Equity & Debt', 'Nidhi'), 'hybrid')
  assert.equal(kindOf('Hybrid', 'Nidhi Debt Hybrid'), 'hybrid')
  assert.equal(kindOf('Commodity', 'Nidhi Gold'), null)
})

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 -]{0,18}[A-Za-z0-9]$/)
const parts = fc.bigInt({ min: 0n, max: 10n ** 15n })
const day = fc.constantFrom(null, '2026-11-18', '2028-02-29')
const plainObjects = { noNullPrototype: true }
const anyHolding: fc.Arbitrary<Holding> = fc.record(
  {
    registrar: fc.constantFrom(...registrars),
    amcCode: word,
    amcName: fc.option(word),
    schemeCode: word,
    schemeName: fc.option(word),
    isin: fc.option(fc.stringMatching(/^INF[A-Z0-9]{8}[0-9]$/)),
    folio: fc.stringMatching(/^\d{3,14}(\/\d{2})?$/),
    kind: fc.constantFrom(null, ...kinds),
    units: parts.map(unitsText),
    lienUnits: parts.map(unitsText),
    lockedUnits: parts.map(unitsText),
    lockedUntil: day,
    nav: parts.map((nav) => navText(nav + 1n)),
    navOn: day,
  },
  plainObjects,
)
const portfolio = fc.record(
  {
    pan: fc.constantFrom(null, 'ABCPE1234F'),
    holdings: fc.uniqueArray(anyHolding, { minLength: 1, maxLength: 8, selector: ({ folio }) => folio }),
    notUnderstood: fc.constant<NotUnderstood[]>([]),
  },
  plainObjects,
)

test('FIS12 §10.3, property: the statement for lenders equals the portfolio', () => {
  fc.assert(
    fc.property(portfolio, (original) => {
      assert.deepEqual(readPortfolio(JSON.parse(JSON.stringify(statementOf(original)))), original)
    }),
  )
})

test('FIS12 §10.1, property: a registrar’s statement has only its own holdings', () => {
  fc.assert(
    fc.property(portfolio, fc.constantFrom(...registrars), (original, registrar) => {
      const { holdings } = statementOf(original, registrar)
      assert.ok(holdings.every(({ rta }) => rta === registrar))
      assert.equal(holdings.length, original.holdings.filter((holding) => holding.registrar === registrar).length)
    }),
  )
})

test('property: no input throws, and every number is a decimal', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom<unknown>(central, null, true, '{"schemes":[{"units":1,"folio":2}]}', '[', -1, 1e300, ''),
      fc.jsonValue(),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...Object.keys(central), '__proto__', 'pan', 'units', 'lien'), tie('any')),
    ),
  })).any
  fc.assert(
    fc.property(value, (input) => {
      for (const { units, lienUnits, lockedUnits, nav } of readPortfolio(input).holdings)
        for (const number of [units, lienUnits, lockedUnits, nav]) assert.match(number, /^\d+\.\d{3,6}$/)
    }),
    { numRuns: roundsOf(500) },
  )
})
