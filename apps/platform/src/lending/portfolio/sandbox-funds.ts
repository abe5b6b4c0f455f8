// Fund statements of the sandbox's borrowers, in the format of MF Central.

const flexiCap = {
  isin: 'INF000A01011',
  scheme: 'SHK-FLEX-G',
  schemeName: 'Shakti Flexi Cap Fund',
  folio: '4410077',
  rtaCode: 'CAMS',
  amc: 'SHAKTI',
  assetType: 'EQUITY',
  closingBalance: '6249.000',
  nav: '85.0250',
}

/** Two funds that can be pledged, and one fund with a lock-in period. */
export const sandboxFunds = {
  data: [
    {
      dtSummary: [
        flexiCap,
        {
          isin: 'INF000B02022',
          scheme: 'NDH-DEBT-G',
          schemeName: 'Nidhi Corporate Bond Fund',
          folio: '8820131',
          rtaCode: 'KFINTECH',
          amc: 'NIDHI',
          assetType: 'DEBT',
          closingBalance: '10201.250',
          nav: '40.1234',
        },
        {
          isin: 'INF000A01029',
          scheme: 'SHK-ELSS-G',
          schemeName: 'Shakti ELSS Tax Saver Fund',
          folio: '4410078',
          rtaCode: 'CAMS',
          amc: 'SHAKTI',
          assetType: 'ELSS',
          closingBalance: '900.000',
          nav: '120.0000',
          lockInUntil: '2099-03-31',
        },
      ],
    },
  ],
}

/** A statement whose only holding is too small for every lender. */
export const tooSmallHolding = { data: [{ dtSummary: [{ ...flexiCap, closingBalance: '0.100' }] }] }
