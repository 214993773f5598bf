// Solves the challenge of a form for proposals while people fill it in. Without this script, the form waits on the server.
const form = document.querySelector('form[data-challenge^="{"]')
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (byte) => Number.parseInt(byte, 16))

async function solve({ parameters: { nonce, salt, cost, keyLength, keyPrefix } }) {
  const [start, saltBytes] = [bytesOf(nonce), bytesOf(salt)]
  const password = new Uint8Array(start.length + 4)
  password.set(start)
  for (let counter = 0; ; counter++) {
    new DataView(password.buffer).setUint32(start.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const algorithm = { name: 'PBKDF2', salt: saltBytes, iterations: cost, hash: 'SHA-256' }
    const bits = await crypto.subtle.deriveBits(algorithm, key, keyLength * 8)
    const derivedKey = Array.from(new Uint8Array(bits), (byte) => byte.toString(16).padStart(2, '0')).join('')
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
  }
}

// Browsers have these functions on pages with HTTPS only.
if (form && crypto.subtle) {
  const challenge = JSON.parse(form.dataset.challenge)
  let isSolved = false
  let solving
  const begin = () => {
    solving ??= solve(challenge).then((solution) => {
      form.elements.proof.value = btoa(JSON.stringify({ challenge, solution }))
      isSolved = true
    })
    return solving
  }
  form.addEventListener('input', begin, { once: true })
  form.addEventListener('submit', (event) => {
    if (isSolved) return
    event.preventDefault()
    form.setAttribute('aria-busy', 'true')
    begin().then(() => form.requestSubmit())
  })
}
