/** Plays two short soft tones. Does nothing where the browser does not let the page make sounds yet. */
export async function chime(): Promise<void> {
  const audio = new AudioContext();
  try {
    if (audio.state === 'suspended') await audio.resume();
    const volume = audio.createGain();
    volume.connect(audio.destination);
    volume.gain.setValueAtTime(0.08, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
    const tone = audio.createOscillator();
    tone.frequency.setValueAtTime(660, audio.currentTime);
    tone.frequency.setValueAtTime(880, audio.currentTime + 0.15);
    tone.connect(volume);
    const ended = new Promise((resolve) => tone.addEventListener('ended', resolve));
    tone.start();
    tone.stop(audio.currentTime + 0.5);
    await ended;
  } finally {
    await audio.close();
  }
}
