// The mail with the head of the desk's audit log, in English.

export const headMail = (url: string, head: string) => ({
  subject: `Head of the audit log of the desk at ${url}`,
  text: `Keep this mail: "lendloom desk verify --heads <file>" holds the log against it and finds entries that were cut off or changed since.

${head}
`,
})
