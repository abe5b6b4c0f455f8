// What is hidden in documents that people look at, and what stays readable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedDocument } from './mask.ts'

test('names, numbers and addresses of people are hidden, names of lenders and things are not', () => {
  const document = {
    context: { bpp_id: 'bank.example', transaction_id: '0190f5a0-0000-7000-8000-000000000009', ttl: 'PT30S' },
    provider: { descriptor: { name: 'Kaveri Bank' }, name: 'Kaveri' },
    customer: {
      person: { name: 'Asha Vaidya', dob: '1992-02-29' },
      contact: { phone: '9876501234', email: 'a@b.example' },
    },
    tags: [
      {
        list: [
          { descriptor: { code: 'ACCOUNT_HOLDER_NAME' }, value: 'Asha' },
          { descriptor: { code: 'KFS' }, value: 'https://x.example' },
        ],
      },
    ],
    profile: { personal: { panName: 'ASHA', pan: 'ABCPE1234F' }, work: { income: 85_000, employmentType: 'salaried' } },
    note: 'call 9876501234 about ABCPE1234F',
    offers: [{ amount_principal: '200000.00', offer_term: '12 months' }],
    account: { number: 50_100_123_456_789 },
    gone: null,
  }
  assert.deepEqual(maskedDocument(document), {
    context: document.context,
    provider: document.provider,
    customer: { person: { name: '[masked]', dob: '[masked]' }, contact: { phone: '[masked]', email: '[masked]' } },
    tags: [
      {
        list: [
          { descriptor: { code: 'ACCOUNT_HOLDER_NAME' }, value: '[masked]' },
          { descriptor: { code: 'KFS' }, value: 'https://x.example' },
        ],
      },
    ],
    profile: {
      personal: { panName: '[masked]', pan: '[masked]' },
      work: { income: '[masked]', employmentType: 'salaried' },
    },
    note: 'call [masked] about [masked]',
    offers: document.offers,
    account: { number: '[masked]' },
    gone: null,
  })
})
