// The settings of all providers that a sandbox at a URL simulates, and the default tokens of its collector and its SMS.

export const collectorToken = 'sandbox-token-of-the-collector'

export const smsKey = 'sandbox-key-of-the-sms-provider'

export const sandboxProviders = (sandboxUrl: string) => ({
  KYC_URL: `${sandboxUrl}/verification/kyc`,
  MANDATE_URL: `${sandboxUrl}/verification/mandate`,
  ESIGN_URL: `${sandboxUrl}/verification/esign`,
  STATEMENT_URL: `${sandboxUrl}/verification/statement`,
  BUREAU_URL: `${sandboxUrl}/bureau`,
  MFC_URL: `${sandboxUrl}/mfcentral`,
  MFC_PAGE_URL: `${sandboxUrl}/mfcentral`,
})
