// Forms that sign in with a passkey, or add one: they are shown if the browser can, and send what the browser signs.
const api = window.PublicKeyCredential
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const { passkey: action, options } = form.dataset
  const canSign = api?.parseRequestOptionsFromJSON && api.parseCreationOptionsFromJSON && api.prototype.toJSON
  if (!canSign) continue
  form.hidden = false
  const ask = () =>
    action === 'add'
      ? navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(JSON.parse(options)) })
      : navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(JSON.parse(options)) })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const problem = form.querySelector('[role=alert]')
    problem.hidden = true
    try {
      form.elements.passkey.value = JSON.stringify(await ask())
      form.submit()
    } catch {
      // The person cancelled, or has no passkey here, or has this one already.
      problem.hidden = false
    }
  })
}
