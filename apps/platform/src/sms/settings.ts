// Settings of the SMS provider.

import { type Config, type Setting, secret, url } from '@lendloom/foundation/config'

const urlOrNone = (about: string): Setting<string | null> => {
  const setting = url(about, 'none')
  return { ...setting, read: (value) => (value === 'none' ? null : setting.read(value)) }
}

export const smsSettings = {
  SMS_URL: urlOrNone(
    'Where the SMS provider takes a message, as POST of JSON {"to", "text", "template"}; none disables links that can be sent',
  ),
  SMS_API_KEY: secret('The bearer with which we call the SMS provider', ''),
}

/** Returns a message for each setting that is unsafe outside the sandbox. */
export const smsFaults = ({ SMS_URL, SMS_API_KEY }: Partial<Config<typeof smsSettings>>): string[] => [
  ...(SMS_URL && !SMS_URL.startsWith('https:') ? ['SMS_URL must be https outside the sandbox'] : []),
  ...(SMS_URL && SMS_API_KEY === '' ? ['SMS_API_KEY must be set outside the sandbox when SMS_URL is'] : []),
]
