// Your own screens, here printed in a terminal: profile, offers, choice and KYC link, through the headless API:
// docs/tutorials/your-own-screens.md.
//
//   npm start                      in one terminal
//   npm run example:screens        in another
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { borrower, openSession } from '../src/client/client.ts'
import { transport } from '../src/client/transport.ts'

const { platform, tenant } = JSON.parse(readFileSync('.lendloom/sandbox.json', 'utf8'))
const wire = transport({ baseUrl: platform.url })

const mobile = `98${Math.floor(Math.random() * 1e8)
  .toString()
  .padStart(8, '0')}`

// Your server opens the session with the API key.
const session = await openSession(wire, tenant.apiKey, {
  borrowerExternalID: `user-${randomUUID()}`,
  profile: { contactNumber: mobile, pan: 'ABCPE1234F', panName: 'Asha Kulkarni' },
})

// The borrower's app uses the tokens of that session.
const call = borrower(wire, { tokens: session })
const { journeyID } = await call('POST /journeys', { body: { type: 'PERSONAL_LOAN' } })
const params = { journeyID }

const { missingFields } = await call('GET /journeys/{journeyID}/profile', { params })
console.log('missing fields:', missingFields.join(', '))
await call('PUT /journeys/{journeyID}/profile', {
  params,
  body: {
    profile: { dob: '1992-02-29', gender: 'female', personalemail: 'asha@mail.example' },
    workProfile: { employmentType: 'salaried', income: 85000, companyName: 'Example Industries' },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
  },
})
await call('POST /journeys/{journeyID}/profile/submit', { params, body: { bureauConsent: true } })

// Lenders answer one after the other: show each answer when it arrives.
const [best] = await offersByApr()
console.log('chosen:', best?.lenderName)

async function offersByApr() {
  for (;;) {
    const { status, nextAction } = await call('GET /journeys/{journeyID}/state', { params })
    const { items } = await call('GET /journeys/{journeyID}/offers', { params })
    const lenders = items.map((card) => `${card.lenderName} ${card.annualPercentageRate ?? card.status}`)
    console.log(status, nextAction, '|', lenders.join(', '))
    const awaited = items.filter((card) => card.status === 'OFFER_AWAITED' && !card.aa.required)
    const offers = items.filter((card) => card.status === 'OFFER_RECEIVED')
    if (offers.length > 0 && awaited.length === 0)
      return offers.sort(
        (a, b) => Number.parseFloat(a.annualPercentageRate!) - Number.parseFloat(b.annualPercentageRate!),
      )
    await sleep(2000)
  }
}

// The borrower has read the Key Facts Statement and accepts the offer.
const offerParams = { journeyID, offerID: best!.offerID }
await call('POST /journeys/{journeyID}/offers/{offerID}/proceed', { params: offerParams, body: {} })

// The KYC step gets a link as soon as the lender's page is ready.
for (;;) {
  const { kyc } = await call('GET /journeys/{journeyID}/offers/{offerID}/steps', { params: offerParams })
  if (kyc.resource.redirectURL) {
    console.log('KYC:', kyc.resource.redirectURL)
    break
  }
  await sleep(1000)
}
