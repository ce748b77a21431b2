// Only where the module begins. What is built is stated by the files in kubernetes/releases and kruise/releases, one for each release.
module ordeal/adapter

go 1.24
