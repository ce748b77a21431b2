// Only where the module begins. What is built is stated by the files in releases/, one for each release.
module ordeal/adapter/kubernetes

go 1.24
