// Your own screens, here printed in a terminal: profile, offers, choice and KYC link, through the headless API:
// docs/tutorials/your-own-screens.md.
//
//   npm start                      in one terminal
//   npm run example:screens        in another
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { lendloom } from '../packages/server-node/src/index.ts'

const { platform, tenant } = JSON.parse(readFileSync('.lendloom/sandbox.json', 'utf8'))
const client = lendloom({ baseUrl: platform.url, apiKey: tenant.apiKey })

const mobile = `98${Math.floor(Math.random() * 1e8)
  .toString()
  .padStart(8, '0')}`

// Your server opens the session with the API key.
const session = await client.createHeadlessSession({
  body: {
    borrowerExternalID: `user-${randomUUID()}`,
    profile: { contactNumber: mobile, pan: 'ABCPE1234F', panName: 'Asha Kulkarni' },
  },
})

// The borrower's app uses the tokens of that session.
const borrower = client.borrower({ tokens: session })
const { journeyID } = await borrower.createJourney({ body: { type: 'PERSONAL_LOAN' } })
const params = { journeyID }

const { missingFields } = await borrower.getProfile({ params })
console.log('missing fields:', missingFields.join(', '))
await borrower.updateProfile({
  params,
  body: {
    profile: { dob: '1992-02-29', gender: 'female', personalemail: 'asha@mail.example' },
    workProfile: { employmentType: 'salaried', income: 85000, companyName: 'Example Industries' },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
  },
})
await borrower.submitProfile({ params, body: { bureauConsent: true } })

// Lenders answer one after the other: show each answer when it arrives.
const [best] = await offersByApr()
console.log('chosen:', best?.lenderName)

async function offersByApr() {
  for (;;) {
    const { status, nextAction } = await borrower.getJourneyState({ params })
    const { items } = await borrower.listOffers({ params })
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
await borrower.selectOffer({ params: offerParams, body: {} })

// The KYC step gets a link as soon as the lender's page is ready.
for (;;) {
  const { kyc } = await borrower.getSteps({ params: offerParams })
  if (kyc.resource.redirectURL) {
    console.log('KYC:', kyc.resource.redirectURL)
    break
  }
  await sleep(1000)
}
