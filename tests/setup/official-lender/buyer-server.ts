// A second buyer app, independent of the platform: receives callbacks, verifies their signatures, serves its borrower's statement, and is called by lenders' pages (FIS12 §5).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ack } from './directory.ts'
import { type Json, newKeys, signatureFault } from './wire.ts'

export type KeyOf = (id: string, keyId: string) => string | undefined

export const buyer = { id: 'strict-buyer.example', keyId: 'buyer-1' }
/** The borrower's data under every field name that a lender's form may use. */
export const borrowerData = {
  panName: 'Ravi Patil',
  fullName: 'Ravi Patil',
  pan: 'ABCPR1234K',
  dob: '1990-04-12',
  gender: 'male',
  contactNumber: '9876543210',
  mobileNumber: '9876543210',
  employmentType: 'salaried',
  income: '90000',
  companyName: 'Example Works',
  endUse: 'other',
  annualIncome: '1080000',
  pincode: '411038',
  city: 'Pune',
  state: 'Maharashtra',
  addressL1: '4 Lake View',
  addressL2: 'Kothrud',
  address: '4 Lake View',
  userType: 'individual',
  constitution: 'INDIVIDUAL',
  emailId: 'ravi@mail.example',
  email: 'ravi@mail.example',
  bureauConsent: 'true',
  jewellery: '40',
  purity: '22K',
  requestAmount: '100000',
  requestTerm: '12',
  accHolderName: 'Ravi Patil',
  acctype: 'saving',
  accNo: '1234509876',
  ifscCode: 'ABCD0001234',
  personalemail: 'ravi@mail.example',
} as Record<string, string>

const statement = {
  pan: borrowerData.pan,
  holdings: [
    {
      isin: 'INF000A01011',
      schemeCode: 'SHK-FLEX-G',
      schemeName: 'Shakti Flexi Cap',
      folio: '4410077',
      rta: 'CAMS',
      amcCode: 'SHAKTI',
      amcName: 'Shakti',
      assetType: 'EQUITY',
      units: '6249.000',
      lienUnits: '0',
      lockedUnits: '0',
      nav: '85.0250',
    },
  ],
}

export class BuyerServer {
  readonly keys = newKeys()
  url = ''
  readonly arrived = new Map<string, Json[]>()
  /** The transactions whose borrower came back from a page. */
  readonly returned: string[] = []
  /** Whether pages of another origin may read the answer to a return. */
  allowsOrigins = true
  private readonly server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    if (request.method === 'GET') {
      const { pathname, searchParams } = new URL(request.url!, this.url)
      if (!pathname.endsWith('/callback')) return void response.end(JSON.stringify(statement))
      this.returned.push(searchParams.get('transaction_id') ?? '')
      if (this.allowsOrigins) response.setHeader('access-control-allow-origin', '*')
      return void response.end()
    }
    const body = JSON.parse(raw)
    const { transaction_id: id } = body.context
    const header = request.headers.authorization
    this.arrived.set(id, [
      ...(this.arrived.get(id) ?? []),
      { ...body, fault: this.faultOf(raw, header, body.context.bpp_id) },
    ])
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(ack))
  })
  private readonly keyOf: KeyOf

  constructor(keyOf: KeyOf) {
    this.keyOf = keyOf
  }

  private faultOf(raw: string, header: string | undefined, sender: string): string | null {
    return signatureFault(raw, header, sender, this.keyOf)
  }

  async start(): Promise<{ id: string; keyId: string; url: string; publicKey: string }> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return { ...buyer, url: `${this.url}/ondc`, publicKey: this.keys.publicKey }
  }

  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}
